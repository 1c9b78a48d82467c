"""What a program does with the SDK. Prints the results as JSON; they are the same for both clients."""

import asyncio
import hashlib
import hmac
import json
import os
import time

from tallystick import AsyncTallystick, Tallystick, TallystickError, verify_webhook

GIVEN = json.loads(os.environ['JOURNEY'])
SECRET = 'whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M='


def describe(error):
    return [error.type, error.status, error.request_id.startswith('req_')]


def webhook():
    body = '{"id":"dlv_1","event":"webhook.test","created":"2026-11-15T09:30:00.000Z","data":{"message":"é"}}'
    now = int(time.time())
    digest = hmac.new(SECRET.encode(), f'{now}.{body}'.encode(), hashlib.sha256).hexdigest()
    return verify_webhook(body, f't={now},v1={digest}', SECRET)['event']


def run_sync(name):
    with Tallystick(GIVEN['baseUrl'], GIVEN['apiKey']) as tallystick:
        key = tallystick.create_key({'name': f'{name} a', 'rpmLimit': 5})
        tallystick.create_key({'name': f'{name} b'})
        limits = tallystick.update_key_limits(key['id'], {'tpmLimit': 1_000})
        names = [each['name'][-1] for each in tallystick.list_keys(q=name, limit=1)]
        tallystick.revoke_key(key['id'])
        status = tallystick.get_key(key['id'])['status']
        try:
            tallystick.create_key({'name': '', 'rpmLimit': 0})
        except TallystickError as error:
            refusal = [*describe(error), sorted(each['path'] for each in error.details)]
        once = [tallystick.create_team({'name': name, 'budgetPoolUsd': 100}, idempotency_key=name)['id'] for _ in range(2)]
        csv = tallystick.request('GET', '/v1/usage', query={'format': 'csv', 'range': '24h'}).text
        exported = tallystick.export_record().read()
        events = []
        for event in tallystick.stream_events():
            events.append(event['event'])
            break
        return {
            'kept': [limits['rpmLimit'], limits['tpmLimit']],
            'names': names,
            'status': status,
            'refusal': refusal,
            'once': once[0] == once[1],
            'csv': csv.count('\n') > 1,
            'exported': json.loads(exported.splitlines()[0])['type'],
            'checkpoint': tallystick.get_checkpoint().startswith('tallystick/'),
            'events': events,
            'webhook': webhook(),
        }


async def run_async(name):
    async with AsyncTallystick(GIVEN['baseUrl'], GIVEN['apiKey']) as tallystick:
        key = await tallystick.create_key({'name': f'{name} a', 'rpmLimit': 5})
        await tallystick.create_key({'name': f'{name} b'})
        limits = await tallystick.update_key_limits(key['id'], {'tpmLimit': 1_000})
        names = [each['name'][-1] async for each in tallystick.list_keys(q=name, limit=1)]
        await tallystick.revoke_key(key['id'])
        status = (await tallystick.get_key(key['id']))['status']
        try:
            await tallystick.create_key({'name': '', 'rpmLimit': 0})
        except TallystickError as error:
            refusal = [*describe(error), sorted(each['path'] for each in error.details)]
        once = [(await tallystick.create_team({'name': name, 'budgetPoolUsd': 100}, idempotency_key=name))['id'] for _ in range(2)]
        answer = await tallystick.request('GET', '/v1/usage', query={'format': 'csv', 'range': '24h'})
        exported = await (await tallystick.export_record()).read()
        events = []
        async for event in tallystick.stream_events():
            events.append(event['event'])
            break
        return {
            'kept': [limits['rpmLimit'], limits['tpmLimit']],
            'names': names,
            'status': status,
            'refusal': refusal,
            'once': once[0] == once[1],
            'csv': answer.text.count('\n') > 1,
            'exported': json.loads(exported.splitlines()[0])['type'],
            'checkpoint': (await tallystick.get_checkpoint()).startswith('tallystick/'),
            'events': events,
            'webhook': webhook(),
        }


print(json.dumps([run_sync('sync'), asyncio.run(run_async('async'))]))
