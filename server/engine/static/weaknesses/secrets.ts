// Keys and tokens among an app's string constants: of well-known services by their documented forms, others by the name that
// they stand under. Knows no dex file.
import type { Severity } from '../../../contract/findings/finding.ts';

interface SecretForm {
  readonly name: string;
  readonly code?: 'weakness-cloud-address';
  readonly pattern: RegExp;
  /** Keys that are made to be in apps are not worth more than a look. */
  readonly severity: Severity;
  /** Example values of documentation follow the form as well. */
  readonly isRandom?: boolean;
}

/** Each pattern is whole and begins with four letters of `beginnings`, or with two of a region. */
const forms: readonly SecretForm[] = [
  { name: 'AWS access key', pattern: /^(?:AKIA|ASIA)[A-Z2-7]{16}$/, severity: 'high', isRandom: true },
  { name: 'Google API key', pattern: /^AIza[\w-]{35}$/, severity: 'info' },
  { name: 'Firebase server key', pattern: /^AAAA[\w-]{7}:[\w-]{140}$/, severity: 'high' },
  { name: 'Google OAuth token', pattern: /^ya29\.[\w-]{30,}$/, severity: 'high' },
  { name: 'GitHub token', pattern: /^(?:gh[oprsu]_[A-Za-z0-9]{36}|github_pat_\w{22}_\w{59})$/, severity: 'high' },
  { name: 'GitLab token', pattern: /^glpat-[\w-]{20}$/, severity: 'high' },
  { name: 'Slack token', pattern: /^xox[abprs]-[\w-]{20,}$/, severity: 'high' },
  {
    name: 'Slack webhook',
    pattern: /^https:\/\/hooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{24}$/,
    severity: 'medium',
  },
  { name: 'Stripe secret key', pattern: /^[rs]k_live_[A-Za-z0-9]{24,}$/, severity: 'high' },
  { name: 'SendGrid key', pattern: /^SG\.[\w-]{22}\.[\w-]{43}$/, severity: 'high' },
  { name: 'Mailgun key', pattern: /^key-[0-9a-f]{32}$/, severity: 'high', isRandom: true },
  { name: 'Square token', pattern: /^sq0(?:atp|csp)-[\w-]{22,43}$/, severity: 'high' },
  { name: 'Twilio key', pattern: /^SK[0-9a-f]{32}$/, severity: 'high', isRandom: true },
  { name: 'npm token', pattern: /^npm_[A-Za-z0-9]{36}$/, severity: 'high' },
  {
    name: 'private key',
    pattern: /^-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{64,}/,
    severity: 'high',
  },
  { name: 'Telegram bot token', pattern: /^\d{8,10}:[\w-]{35}$/, severity: 'high', isRandom: true },
  { name: 'OpenAI key', pattern: /^sk-(?:proj-|svcacct-)?[\w-]{40,}$/, severity: 'high', isRandom: true },
  {
    name: 'Cognito identity pool',
    pattern: /^[a-z]{2}-[a-z]{4,9}-\d:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    severity: 'low',
  },
  {
    name: 'database',
    code: 'weakness-cloud-address',
    pattern: /^https:\/\/[\w-]+\.(?:firebaseio\.com|[\w-]+\.firebasedatabase\.app)(?:\/|$)/,
    severity: 'info',
  },
  {
    name: 'store',
    code: 'weakness-cloud-address',
    pattern:
      /^https?:\/\/(?:[\w-]+\.s3[\w.-]*\.amazonaws\.com|s3[\w.-]*\.amazonaws\.com\/\w|storage\.googleapis\.com\/\w|\w+\.blob\.core\.windows\.net)/,
    severity: 'info',
  },
  {
    name: 'user and password in an address',
    pattern:
      /^(?:https?|ftps?|mongodb(?:\+srv)?|mysql|postgres(?:ql)?|amqps?|redis|jdbc:\w+):\/\/[^\s/:@%{}$<>]{2,}:[^\s/:@%{}$<>]{4,}@[\w.-]+\.\w+/,
    severity: 'high',
  },
];
const minLength = 20;
const maxLength = 4096;
/** As numbers of four bytes, the first the highest. */
const beginnings = new Set(
  'AKIA ASIA AIza AAAA ya29 gho_ ghp_ ghr_ ghs_ ghu_ gith glpa xoxa xoxb xoxp xoxr xoxs http ftp: ftps mong mysq post amqp redi jdbc rk_l sk_l key- sq0a sq0c npm_ ----'
    .split(' ')
    .map((letters) => Buffer.from(letters.padEnd(4)).readInt32BE()),
);

/** Whether a string is worth a closer look: cheap enough for every string of a dex file. `bytes[start, end)` in MUTF-8. */
export function mayBeSecret(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length < minLength || length > maxLength) return false;
  const first = bytes[start]!;
  // Most long strings are descriptors of classes.
  if (first === 0x4c) return false;
  // Digits begin a bot's token; SG. and SK are shorter than four letters.
  if (first >= 0x30 && first <= 0x39) return length >= 44 && length <= 46;
  if (first === 0x53) return bytes[start + 1] === 0x47 || bytes[start + 1] === 0x4b;
  // us-east-1:, and sk- with a hyphen third.
  if (bytes[start + 2] === 0x2d) return length >= 40 && length <= 200;
  return beginnings.has((first << 24) | (bytes[start + 1]! << 16) | (bytes[start + 2]! << 8) | bytes[start + 3]!);
}

export interface Secret {
  readonly code: 'weakness-secret' | 'weakness-cloud-address';
  readonly name: string;
  readonly severity: Severity;
}

/** What kind of secret a text is; null where it is none, or one that documentation shows. */
export function secretOf(text: string): Secret | null {
  const form = forms.find(({ pattern }) => pattern.test(text));
  if (form === undefined) return labelled(text);
  if (/EXAMPLE|example\.(?:com|org)|(.)\1{7}|[xX]{6}|1234567/.test(text)) return null;
  if (form.isRandom && entropyOf(text) < minEntropy) return null;
  return { code: form.code ?? 'weakness-secret', name: form.name, severity: form.severity };
}

/** Whether a text speaks of passwords or keys. */
export const namesSecret = (text: string): boolean => /passw|secret|api[ _-]?key|access[ _-]?key|token|cvv/i.test(text);
const label =
  /(?:^|[^a-z0-9])(?:password|passwd|passphrase|secret(?:[ _-]?key)?|api[ _-]?key|access[ _-]?key)["']?\s*[:=]\s*["']?([^\s"'&,;<>{}()[\]]{6,64})/gi;

/** The same as elements of a document: `<wsse:Password Type="text">y</wsse:Password>`, and that of a user beside it. */
const passwordElement =
  /<(?:[\w-]+:)?(?:password|passwd|passphrase|secret(?:[_-]?key)?|api[_-]?key)(?:\s[^<>]{0,200})?>\s{0,40}([^\s<>{}$%?*]{6,64})\s{0,40}<\//gi;
const userElement =
  /<(?:[\w-]+:)?(?:user|login|account|email)[\w-]{0,20}(?:\s[^<>]{0,200})?>\s{0,40}[^\s<>{}$%?*]{2,64}\s{0,40}<\//i;
const placeholder = /^(?:string|(?:my|your)?[-_.]?(?:password|passwd|secret|pass(?:word)?here)|changeme|x+)$/i;

/** A text such as `user: x, password: y`. */
function labelled(text: string): Secret | null {
  const isHeld =
    Array.from(text.matchAll(label), ([, value]) => value!).some(isPassword) ||
    Array.from(text.matchAll(passwordElement), ([, value]) => value!).some(
      // Words alone are a password where a user's name stands beside them; else they may be a translation.
      (value) => isPassword(value) || (userElement.test(text) && !placeholder.test(value)),
    );
  return isHeld ? { code: 'weakness-secret', name: 'a text with a password', severity: 'medium' } : null;
}

const credentialName =
  /(?:^|_)(?:password|passwd|pwd|passphrase|secret|secret_key|access_key|api_key|apikey|auth_token|access_token|private_key|encryption_key|aes_key)(?:_\d+)?$/;
/** Templates and addresses. */
const notCredential = /%(?:\d+\$)?[sd]|\{|:\/\//;
/** Words with dots, dashes or slashes between them, as names of keys, headers and classes are written. */
const isIdentifier = (text: string): boolean => /^[A-Za-z]+\d{0,2}(?:[._/-][A-Za-z]+\d{0,2})+$/.test(text);

/**
 * Whether a text may be a password or key by itself, what a program or a person would be asked for: letters with digits or
 * signs. Cheap enough for every string.
 */
const mayBeCredential = (text: string): boolean =>
  text.length >= 6 &&
  text.length <= 128 &&
  !text.startsWith('res/') &&
  /^[\x21-\x7e]+$/.test(text) &&
  /[\d!@#$%^&*+=]/.test(text) &&
  /[A-Za-z]/.test(text) &&
  !notCredential.test(text);

/** Whether a text may be a secret or hold one: cheap enough for every string of a resource table. */
export const mayHoldSecret = (text: string): boolean =>
  mayBeCredential(text) || (text.length >= minLength && mayBeSecret(Buffer.from(text), 0, text.length));

/** @param name as `API_KEY`, `apiKey` or `api_key` */
export const isCredentialName = (name: string): boolean =>
  /pass|pwd|secret|key|token/i.test(name) &&
  credentialName.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
      .toLowerCase(),
  );

/** Whether a text is written as passwords and keys are. */
export const isPassword = (text: string): boolean =>
  mayBeCredential(text) && !isIdentifier(text) && entropyOf(text) >= 2.5;

/** Whether what a constant of this name holds is a password or key. */
export const isCredential = (name: string, text: string): boolean =>
  isCredentialName(name) && isPassword(text) && secretOf(text) === null;

/** Bits for each character; 16 random hexadecimal digits have some 3.4. */
const minEntropy = 3;

/** Shannon's entropy of the characters of a text, in bits for each. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
