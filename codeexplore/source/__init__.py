"""Source files: discovery in a folder, ignore rules, decoding, notebooks, clones and installed packages.

Change it to change which files are read.

Entry points: `discovery.discover` (files of a folder to index, and entries that are skipped), `read.read` (the decoded
text of one file, or the reason for skipping it), `git_clone.clone`, `package.find_package`, `changes.compare`. A file
is skipped by `discovery` for its path or size, and by `read` for its content. `filters` has the rules for build
folders, generated and minified files. `skip_reasons` describes each reason in words.

Words used here:

- root: the folder that the user explores. Paths are relative to it and use ``/``.
- candidate: a file that discovery has chosen for reading (`Candidate`).
- skip: a file or folder that is left out, with its reason (`Skipped`).
- wanted: an entry that the user named, or that a line of a ``.codeexploreignore`` includes again.

Example: a folder contains ``app.py`` and ``node_modules/x.js``. ``discover(folder)`` returns one candidate, ``app.py``
with language ``"python"``, and one skipped entry, ``node_modules/`` with reason ``"artefacts"``. ``read(folder,
candidate)`` returns the `SourceFile`: text, encoding ``"utf-8"`` and SHA-256.

Files are untrusted. No file is imported or run, and git is started only to clone and to read commits. Links out of the
folder are skipped.
"""
