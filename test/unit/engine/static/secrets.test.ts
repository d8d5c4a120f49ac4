import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCredential, mayBeSecret, secretOf } from '../../../../server/engine/static/weaknesses/secrets.ts';

const random = 'q7Zr2Lk9Xw4Tn8Vb3Hs6Jd1Fg5Mc0PyQeRuAiSoWzXl4Kj7Nh2Bv9Gt6Cf1Rd8Es3Zy5Wx0Uq';
const hex = '9f3a7c1e5b2d8064fae19c37b5d20e48';
/** Put together here, so that the source holds none itself; the forms are those of the services' documentation. */
const secrets: Record<string, string> = {
  'AWS access key': `AKIA${'Q3EGW7RLZ2NDX4BT'}`,
  'Google API key': `AIza${random.slice(0, 35)}`,
  'Firebase server key': `AAAA${random.slice(0, 7)}:${random.repeat(2).slice(0, 140)}`,
  'Google OAuth token': `ya29.${random}`,
  'GitHub token': `ghp_${random.slice(0, 36)}`,
  'GitLab token': `glpat-${random.slice(0, 20)}`,
  'Slack token': `xoxb-${hex}`,
  'Slack webhook': `https://hooks.slack.com/services/T0A1B2C3D/B4E5F6G7H/${random.slice(0, 24)}`,
  'Stripe secret key': `sk_live_${random.slice(0, 24)}`,
  'SendGrid key': `SG.${random.slice(0, 22)}.${random.slice(10, 53)}`,
  'Mailgun key': `key-${hex}`,
  'Square token': `sq0atp-${random.slice(0, 22)}`,
  'Twilio key': `SK${hex}`,
  'npm token': `npm_${random.slice(0, 36)}`,
  'private key': `-----BEGIN RSA PRIVATE KEY-----\n${random}\n`,
  'Telegram bot token': `7012345698:AA${random.slice(0, 33)}`,
  'user and password in an address': 'https://robot:tr0ub4dor@build.example.net/artifacts',
};

for (const [name, text] of Object.entries(secrets)) {
  test(`a ${name} is told by its form`, () => {
    assert.equal(secretOf(text)?.name, name);
    const bytes = Buffer.from(`before${text}after`);
    assert.ok(mayBeSecret(bytes, 6, 6 + text.length), 'the quick look lets it through');
  });
}

test('examples of documentation, templates and repetitions are no secrets', () => {
  for (const text of [
    'AKIAIOSFODNN7EXAMPLE',
    'AKIAAAAAAAAAAAAAAAAA',
    `SK${'0'.repeat(32)}`,
    'key-3ax6xnjp29jd6fds4gc373sgvjxteol0',
    'https://user:password@example.org/',
    'https://%s:%s@host.net/',
    'mongodb://user:{password}@host.net/db',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9f3a7c1e5b2d8064fae19c37b5d20e48q7Zr2Lk9\n',
    '1234567890:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ]) {
    assert.equal(secretOf(text), null, text);
  }
});

test('the quick look takes nothing short, long or ordinary', () => {
  for (const text of ['AKIA', 'Ljava/lang/StringBuilder;', 'an ordinary sentence of the app', 'AIza'.repeat(2000)]) {
    assert.equal(mayBeSecret(Buffer.from(text), 0, text.length), false, text.slice(0, 40));
  }
});

test('a text that stands under such a name is a password or key where it is neither a name itself nor a template', () => {
  const named: [string, string, boolean][] = [
    ['DB_PASSWORD', 'Tr0ub4dor&3', true],
    ['apiKey', 'c2VjcmV0LWtleS0xMjM0', true],
    ['PASSWORD', 'user_password2', false],
    ['API_KEY', 'https://example.org/keys/1', false],
    ['SECRET', '%1$s-secret', false],
    ['password_hint', 'Tr0ub4dor&3', false],
    ['GOOGLE_API_KEY', `AIza${random.slice(0, 35)}`, false],
  ];
  for (const [name, text, isOne] of named) assert.equal(isCredential(name, text), isOne, `${name} ${text}`);
});
