"""Source files: discovery in a folder, ignore rules, decoding, notebooks, clones and installed packages.

Entry points: `discovery.discover` (candidates and skipped entries of a folder), `read.read` (one decoded file or the
reason for skipping it), `git_clone.clone`, `package.find_package`, `changes.compare`.

Example: in a folder with ``app.py`` and ``node_modules/x.js``, ``discover(folder)`` returns one candidate, ``app.py``
with language ``"python"``, and one skipped entry, ``node_modules/`` with reason ``"artefacts"``. ``read(folder,
candidate)`` returns its `SourceFile`: text, encoding ``"utf-8"`` and SHA-256.

Files are untrusted: none is imported or run, git is started only to clone, and links out of the folder are skipped.
"""
