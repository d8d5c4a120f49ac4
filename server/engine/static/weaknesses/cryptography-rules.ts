// Weak use of ciphers, hashes, keys and random numbers.
import type { Origin } from '../../code/origins.ts';
import { type CallRule, firstOf, isCallOf, isSecretKey, simple } from './call-rule.ts';
import type { CallSite } from './call-site.ts';

const weakCipher = /^(?:DES|DESede|TripleDES|RC2|RC4|ARC4|ARCFOUR|Blowfish)(?:\/|$)/i;
const ecb = /^(?!RSA)[^/]+\/ECB\//i;

/** Why a transformation is weak; null where it is not. `AES` alone is ECB by the provider's default. */
function weakTransformation(text: string): string | null {
  if (weakCipher.test(text)) return `"${text}" is broken or too short`;
  if (ecb.test(text)) return `"${text}" shows equal blocks as equal`;
  if (/^(?:AES|Camellia|Twofish)$/i.test(text)) return `"${text}" stands for ECB, which shows equal blocks as equal`;
  if (/^RSA\/[^/]+\/NoPadding$/i.test(text)) return `"${text}" is RSA without padding`;
  return null;
}

/** What cannot be guessed comes from elsewhere; `java.util.Random` can be. */
const guessable =
  /^Ljava\/util\/Random;->next|^Ljava\/lang\/Math;->random$|^Lkotlin\/random\/Random(?:\$Default)?;->next|^Lkotlin\/ranges\/RangesKt;->random$|^Ljava\/util\/concurrent\/ThreadLocalRandom;->next|^Ljava\/lang\/System;->(?:currentTimeMillis|nanoTime)$/;
const isTime = ({ call }: Extract<Origin, { kind: 'call' }>): boolean => call.owner === 'Ljava/lang/System;';

/** Words for what nobody should guess, in the names of the methods that make it. */
const unguessable: ReadonlySet<string> = new Set(
  'token tokens otp otps pin pins password passwords passwd passcode pwd passphrase salt nonce iv csrf captcha secret secrets jwt'.split(
    ' ',
  ),
);
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);

const constantMaterial =
  (what: string, argument: number) =>
  (site: CallSite): string | null => {
    const text = site.constant(argument);
    return text === null ? null : `the ${what} is ${text}`;
  };

export const cryptographyRules: readonly CallRule[] = [
  {
    code: 'weakness-cipher',
    calls: {
      'Ljavax/crypto/Cipher;': 'getInstance',
      'Ljavax/crypto/KeyGenerator;': 'getInstance',
      'Ljavax/crypto/SecretKeyFactory;': 'getInstance',
    },
    judge(site) {
      const isCipher = site.call.owner === 'Ljavax/crypto/Cipher;';
      return firstOf(site.strings(0), (text) => {
        if (isCipher) return weakTransformation(text);
        return weakCipher.test(text) || /^PBEWith(?:MD5|SHA1?)And(?:DES|RC2|RC4)/i.test(text)
          ? `"${text}" is broken or too short`
          : null;
      });
    },
  },
  {
    code: 'weakness-hash',
    calls: {
      'Ljava/security/MessageDigest;': 'getInstance',
      'Ljavax/crypto/Mac;': 'getInstance',
      'Ljava/security/Signature;': 'getInstance',
    },
    judge: (site) =>
      firstOf(site.strings(0), (text) => (/^(?:Hmac)?(?:MD[245]|SHA-?1)(?:with|$)/i.test(text) ? `"${text}"` : null)),
  },
  {
    code: 'weakness-constant-key',
    calls: {
      'Ljavax/crypto/spec/SecretKeySpec;': '<init>',
      'Ljavax/crypto/spec/DESKeySpec;': '<init>',
      'Ljavax/crypto/spec/DESedeKeySpec;': '<init>',
      'Ljavax/crypto/spec/PBEKeySpec;': '<init>',
    },
    judge(site) {
      // The salt of HKDF is a key of zeros where there is none.
      const isHmac = site.count > 2 && site.strings(site.count - 1).some((text) => /^Hmac/i.test(text));
      return isHmac && site.constant(1) === 'an array of zeros' ? null : constantMaterial('key', 1)(site);
    },
  },
  {
    code: 'weakness-constant-iv',
    calls: { 'Ljavax/crypto/spec/IvParameterSpec;': '<init>', 'Ljavax/crypto/spec/GCMParameterSpec;': '<init>' },
    judge: (site) => constantMaterial('initialization vector', site.call.owner.includes('GCM') ? 2 : 1)(site),
  },
  {
    code: 'weakness-key-derivation',
    calls: { 'Ljavax/crypto/spec/PBEKeySpec;': '<init>', 'Ljavax/crypto/spec/PBEParameterSpec;': '<init>' },
    judge(site) {
      const salt = site.call.owner.includes('PBEKeySpec') ? 2 : 1;
      if (site.count <= salt) return null;
      const text = site.constant(salt);
      if (text !== null) return `the salt is ${text}`;
      const rounds = site.numbers(salt + 1);
      return rounds?.some((count) => count > 0 && count < 1000) ? `${rounds.join(' or ')} rounds` : null;
    },
  },
  {
    code: 'weakness-key-size',
    calls: { 'Ljava/security/KeyPairGenerator;': 'initialize', 'Ljavax/crypto/KeyGenerator;': 'init' },
    judge(site) {
      const sizes = site.numbers(1);
      const algorithms = site
        .origins(0)
        .flatMap((origin) =>
          origin.kind === 'call' && origin.call.name === 'getInstance' ? site.at(origin.call).strings(0) : [],
        );
      const least = algorithms.some((name) => /^(?:RSA|DSA|DH)/i.test(name))
        ? 2048
        : algorithms.some((name) => /^AES/i.test(name))
          ? 128
          : algorithms.some((name) => /^EC/i.test(name))
            ? 224
            : 0;
      return sizes?.some((size) => size > 0 && size < least)
        ? `${algorithms[0]} with ${sizes.join(' or ')} bits`
        : null;
    },
  },
  {
    code: 'weakness-seed',
    calls: { 'Ljava/security/SecureRandom;': '<init> setSeed' },
    judge(site) {
      if (site.count < 2 || /^\(Ljava\/security\/SecureRandomSpi/.test(site.call.descriptor)) return null;
      const text = site.constant(1);
      if (text !== null) return `the seed is ${text}`;
      return site.origins(1).some((origin) => isCallOf(origin, guessable))
        ? 'the seed is the time or a guessable number'
        : null;
    },
  },
  {
    code: 'weakness-random',
    calls: {
      'Ljavax/crypto/spec/SecretKeySpec;': '<init>',
      'Ljavax/crypto/spec/IvParameterSpec;': '<init>',
      'Ljavax/crypto/spec/PBEKeySpec;': '<init>',
      'Ljavax/crypto/spec/GCMParameterSpec;': '<init>',
    },
    judge(site) {
      for (let argument = 1; argument < site.count; argument++) {
        const found = site.origins(argument).find((origin) => isCallOf(origin, guessable));
        if (found?.kind === 'call') return `made of ${simple(found.call.owner)}.${found.call.name}()`;
      }
      return null;
    },
  },
  {
    // By the name alone: what numbers are for, no call says.
    code: 'weakness-random',
    in: ({ owner, name }) =>
      /(?:crypt|token|otp|password|session|secret|nonce|salt|captcha)/i.test(simple(owner)) ||
      /^(?:rng$|(?:generate|make|create|new|next|get|random)(?:\w*)(?:OTP|IV|Key|Session\w*|Code)$)/.test(name) ||
      wordsOf(name).some((word) => unguessable.has(word)),
    calls: {
      'Ljava/util/Random;': 'nextInt nextLong nextBytes nextDouble',
      'Ljava/lang/Math;': 'random',
      'Lkotlin/random/Random;': 'nextInt nextLong nextBytes nextDouble',
      'Lkotlin/random/Random$Default;': 'nextInt nextLong nextBytes nextDouble',
      'Lkotlin/ranges/RangesKt;': 'random',
    },
    judge: (site) => ({
      evidence: `in ${simple(site.method.owner)}.${site.method.name}, whose name says that nobody should guess it`,
      severity: 'low',
    }),
  },
  {
    code: 'weakness-random',
    calls: {
      'Landroid/content/SharedPreferences$Editor;': 'putString putInt putLong',
      'Landroid/content/ContentValues;': 'put',
      'Lorg/json/JSONObject;': 'put',
    },
    judge(site) {
      const key = site.strings(1).find(isSecretKey);
      if (key === undefined) return null;
      const found = site.origins(2).find((origin) => isCallOf(origin, guessable));
      // The time stands beside a token, it is none.
      if (found?.kind !== 'call' || isTime(found)) return null;
      return { evidence: `"${key}" is made of ${simple(found.call.owner)}.${found.call.name}()`, severity: 'medium' };
    },
  },
  {
    // A code in a message is what its receiver proves himself by.
    code: 'weakness-random',
    calls: { 'Landroid/telephony/SmsManager;': 'sendTextMessage' },
    judge(site) {
      const made = site.origins(3).find((origin) => isCallOf(origin, guessable));
      if (made?.kind !== 'call' || isTime(made)) return null;
      return { evidence: `sends what ${simple(made.call.owner)}.${made.call.name}() makes`, severity: 'low' };
    },
  },
  {
    code: 'weakness-keystore-password',
    calls: {
      'Ljava/security/KeyStore;': 'load getKey setKeyEntry',
      'Ljava/security/KeyStore$PasswordProtection;': '<init>',
      'Ljavax/net/ssl/KeyManagerFactory;': 'init',
    },
    judge(site) {
      const { name } = site.call;
      const argument = name === '<init>' ? 1 : name === 'setKeyEntry' ? 3 : 2;
      const text = site.constant(argument);
      return text === null || text === '0' || text === '""' ? null : `the password is ${text}`;
    },
  },
];
