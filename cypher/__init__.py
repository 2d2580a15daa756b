"""Every Cypher statement that graphstore runs, one a file. (A package, so that editable installs find it.)"""
