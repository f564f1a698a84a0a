"""Properties that hold for any bytes: `python -m fuzz` hunts for what breaks one, the tests replay the worst."""
