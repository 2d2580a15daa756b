"""The console: Cypher typed at a prompt or read from a script, answered in tables.

``script`` splits text into statements and commands, ``session`` runs them, ``commands`` holds the ``:commands``;
``cells``, ``tables`` and ``formats`` turn rows into text (also for ``graphstore query``); ``prompt``, ``completion``
and ``vocabulary`` are the prompt. Nothing here imports the client: a session is given what runs statements.
"""
