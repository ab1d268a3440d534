"""Registers a file by a client that was generated from the OpenAPI document, and reads its text.

Arguments: the address of the service and an API key. The folder above the client is in PYTHONPATH. Prints one JSON object.
"""

import io
import json
import sys
import time
import uuid

from generated import AuthenticatedClient, Client
from generated.api.operations import check_readiness, get_metrics
from generated.api.resources import get_artifact, get_resource, register_resource
from generated.models import Error, Readiness, Resource, ResourceStatus, TextArtifactContent, UploadForm
from generated.types import File

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key)

readiness = check_readiness.sync(client=Client(base_url=address))
assert isinstance(readiness, Readiness), readiness
metrics = get_metrics.sync_detailed(client=client)
assert b"# HELP kw_" in metrics.content, metrics

file = File(payload=io.BytesIO("Grüße aus dem Archiv".encode()), file_name="letter.txt", mime_type="text/plain")
form = UploadForm(name="Letter", type_="document", file=file)
resource = register_resource.sync(client=client, body=form)
assert isinstance(resource, Resource), resource

deadline = time.monotonic() + 60
while resource.status == ResourceStatus.PROCESSING and time.monotonic() < deadline:
    time.sleep(0.1)
    resource = get_resource.sync(resource.id, client=client)
    assert isinstance(resource, Resource), resource

text_id = next(each.id for each in resource.artifacts if each.type_ == "text")
text = get_artifact.sync(resource.id, text_id, client=client)
assert isinstance(text, TextArtifactContent), text

refusal = get_resource.sync_detailed(uuid.uuid4(), client=client)
assert isinstance(refusal.parsed, Error), refusal

print(
    json.dumps(
        {
            "status": resource.status.value,
            "text": text.content,
            "refusal": [refusal.status_code, refusal.parsed.error.code.value],
        }
    )
)
