"""Running cells in a real IPython shell without a kernel; the fixtures are in conftest."""


def run(shell, cell):
    """A cell's value; the cell must not fail."""
    done = shell.run_cell(cell)
    assert done.success, done.error_in_exec or done.error_before_exec
    return done.result


def refused(shell, capsys, cell):
    """What a cell that must fail says, on one screen and without a traceback."""
    capsys.readouterr()
    assert not shell.run_cell(cell).success
    said = "".join(capsys.readouterr())
    assert "Traceback" not in said
    return said


def offered(shell, text):
    """What Tab offers at the end of a cell's text, in the order of the offer."""
    from IPython.core.completer import provisionalcompleter

    with provisionalcompleter():
        return [completion.text for completion in shell.Completer.completions(text, len(text))]
