"""What the browser tests look for in a page."""

import pytest

INK = """() => {
  const canvas = document.querySelector('canvas');
  if (!canvas) return 0;
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let inked = 0;
  for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
  return inked;
}"""


def until(frame, condition):
    """Wait for a condition. Playwright's own waiting needs eval, which the graph's page forbids."""
    for _ in range(200):
        if frame.evaluate(condition):
            return
        frame.page.wait_for_timeout(50)
    pytest.fail(f"never true: {condition}")


def drawn(frame):
    """Wait until a graph has ink on its canvas."""
    frame.frame_element().scroll_into_view_if_needed()  # a browser draws no frame that is out of sight
    until(frame, f"({INK})() > 500")
