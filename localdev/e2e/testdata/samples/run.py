# Runs samples in Python, a JSON list of texts: for each {printed} as JSON or {bytes} of its file, or {error}.
import ast
import contextlib
import io
import json
import os
import sys

out = []
for text in json.load(sys.stdin):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "sample", "exec"), {})
        if os.path.exists("answer"):
            out.append({"bytes": os.path.getsize("answer")})
            os.remove("answer")
        else:
            out.append({"printed": json.dumps(ast.literal_eval(printed.getvalue()))})
    except Exception as e:
        out.append({"error": repr(e)})
json.dump(out, sys.stdout)
