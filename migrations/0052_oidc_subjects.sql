-- expand: accounts of OpenID Connect are found by the SHA-256 of their subject, so that the subject itself is nowhere stored.
update oidc_identities set subject = encode(sha256(convert_to(subject, 'UTF8')), 'hex');
