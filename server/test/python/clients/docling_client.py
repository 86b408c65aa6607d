"""docling: the client of Docling Serve, which follows conversions by a WebSocket and polls where there is none."""

import io

from docling.datamodel.base_models import DocumentStream
from docling.service_client import DoclingServiceClient, DoclingServiceClientError, StatusWatcherKind

from checks import BASE, KEY, check, main

HTML = "<h1>제1조</h1><p>연차 휴가는 15일이다.</p><table><tr><td>가</td><td>나</td></tr></table>"


def document(text):
    return DocumentStream(name="rules.html", stream=io.BytesIO(text.encode()))


@check
def converts():
    """a document, as the client asks by itself, and by polling alone"""
    for watcher in (StatusWatcherKind.WEBSOCKET, StatusWatcherKind.POLLING):
        with DoclingServiceClient(url=BASE, api_key=KEY, status_watcher=watcher, poll_server_wait=1) as client:
            result = client.convert(document(HTML))
            text = result.document.export_to_markdown()
            assert "제1조" in text and "15일" in text, text
            assert len(result.document.tables) == 1, result.document.tables


@check
def refuses():
    """a document that cannot be read fails, and says why"""
    with DoclingServiceClient(url=BASE, api_key=KEY, poll_server_wait=1) as client:
        try:
            client.convert(DocumentStream(name="a.bin", stream=io.BytesIO(bytes(range(256)))))
        except DoclingServiceClientError as error:
            assert str(error) != "", error
            return
    raise AssertionError("it was converted")


main()
