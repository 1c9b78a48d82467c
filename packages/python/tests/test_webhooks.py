"""The verifier of webhook deliveries."""

import hashlib
import hmac
import unittest

from tallystick import WebhookVerificationError, verify_webhook

SECRET = 'whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M='
NOW = 1_763_200_000
BODY = '{"id":"dlv_1","event":"webhook.test","created":"2026-11-15T09:30:00.000Z","data":{"message":"é"}}'


def sign(body=BODY, secret=SECRET, time=NOW):
    return hmac.new(secret.encode(), f'{time}.{body}'.encode(), hashlib.sha256).hexdigest()


def header(*signatures):
    return ','.join([f't={NOW}', *(f'v1={each}' for each in signatures)])


def verify(body=BODY, signature=None, secret=SECRET, **options):
    return verify_webhook(body, header(sign()) if signature is None else signature, secret, **{'now': NOW, **options})


class ADeliveryIsRead(unittest.TestCase):
    def test_from_text_and_from_bytes_alike(self):
        self.assertEqual(verify()['data'], {'message': 'é'})
        self.assertEqual(verify(BODY.encode()), verify())

    def test_when_one_of_several_signatures_or_secrets_is_right(self):
        wrong = sign(secret='whsec_other')
        for signatures in ([wrong, sign()], [sign(), wrong], [wrong, sign().upper()]):
            self.assertEqual(verify(signature=header(*signatures))['id'], 'dlv_1')
        self.assertEqual(verify(secret=['whsec_next', SECRET])['id'], 'dlv_1')
        self.assertEqual(verify(signature=f't={NOW},v2=future,v1={sign()}')['id'], 'dlv_1')

    def test_up_to_five_minutes_away_from_our_clock(self):
        for away in (-300, 300):
            self.assertEqual(verify(now=NOW + away)['id'], 'dlv_1')
        for away in (-301, 301):
            with self.assertRaisesRegex(WebhookVerificationError, 'too old'):
                verify(now=NOW + away)
        self.assertEqual(verify(now=NOW + 900, tolerance=900)['id'], 'dlv_1')


class ADeliveryIsRefused(unittest.TestCase):
    def test_for_a_header_that_is_not_one(self):
        for signature in (
            '',
            f'v1={sign()}',
            f't=now,v1={sign(time="now")}',
            f't=-1,v1={sign(time=-1)}',
            f't={NOW}.5,v1={sign(time=f"{NOW}.5")}',
            f't={NOW},t={NOW},v1={sign()}',
            f't={NOW}',
            f't={NOW},v1=',
            f't={NOW},v1={sign()[2:]}',
            f't={NOW},v1={"z" * 64}',
            f't={NOW},v2={sign()}',
            f't={NOW}\n,v1={sign()}é',
        ):
            with self.subTest(signature), self.assertRaises(WebhookVerificationError):
                verify(signature=signature)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(BODY, None, SECRET)

    def test_when_its_body_or_time_or_secret_is_another(self):
        for options in (
            {'body': BODY.replace('{', '{ ', 1)},
            {'signature': f't={NOW + 1},v1={sign()}'},
            {'secret': 'whsec_other'},
            {'secret': []},
        ):
            with self.subTest(options), self.assertRaisesRegex(WebhookVerificationError, 'No signature'):
                verify(**options)

    def test_whatever_one_byte_of_it_was_changed(self):
        body = bytearray(BODY.encode())
        for index in range(len(body)):
            body[index] ^= 1
            with self.assertRaises(WebhookVerificationError):
                verify(bytes(body))
            body[index] ^= 1


if __name__ == '__main__':
    unittest.main()
