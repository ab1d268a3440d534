"""Answers PUT of a document with markitdown's Markdown for it: one warm process, one document at a time."""

import io
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from markitdown import MarkItDown, StreamInfo

converter = MarkItDown()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, b"ready")

    def do_PUT(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        info = StreamInfo(mimetype=self.headers["Content-Type"])
        try:
            text = converter.convert_stream(io.BytesIO(content), stream_info=info).text_content
        except Exception as error:
            self.answer(422, str(error).encode(errors="replace"))
        else:
            self.answer(200, text.encode(errors="replace"))

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(HTTPServer):
    request_queue_size = 128


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
