"""Runs scim2-tester against the SCIM server at the first argument, with the token of the second, and prints a line of JSON for each check."""

import json
import sys
import uuid

from httpx import Client
from scim2_client.engines.httpx import SyncSCIMClient
from scim2_tester import check_server, filling
from scim2_tester.checkers import patch_add, patch_replace

generate = filling.generate_random_value


def generate_value(context, path, *args, **kwargs):
    """As the tester generates values, but with addresses of the domain that the issuer of the test provisions."""
    value = generate(context, path, *args, **kwargs)
    is_address = str(path).lower().split(":")[-1] in ("username", "emails.value")
    return f"{uuid.uuid4()}@example.com" if value is not None and is_address else value


for module in (filling, patch_add, patch_replace):
    module.generate_random_value = generate_value

url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
client = SyncSCIMClient(Client(base_url=url, headers=headers, timeout=60))
for result in check_server(client):
    check = {
        "status": result.status.name,
        "title": result.title,
        "resource": result.resource_type,
        "reason": result.reason,
    }
    print(json.dumps(check))
