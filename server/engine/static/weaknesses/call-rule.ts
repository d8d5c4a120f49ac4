// The shape of a rule on calls, and what several rules ask of an argument. Knows no rule.

import type { Severity } from '../../../contract/findings/finding.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Origin } from '../../code/origins.ts';
import { type AppFacts, type CallSite, isExported } from './call-site.ts';

export interface CallRule {
  readonly code: FindingCode;
  /** Names of the methods that are judged, by class descriptor, separated by blanks. */
  readonly calls: Readonly<Record<string, string>>;
  /** Whether calls in a method are judged, before its code is read. */
  in?(place: MethodPlace): boolean;
  /** What the method has to do as well, one of it at least, without which its calls need not be looked at. */
  readonly beside?: {
    /** Methods that it calls, as in `calls`. */
    readonly methods: Readonly<Record<string, string>>;
    /** Names of fields of any class that it reads, separated by blanks. */
    readonly fields?: string;
    /** Whether loading a string that names a password or key is one of them. */
    readonly secretText?: true;
  };
  /** What is wrong, as evidence; null where nothing is. */
  judge(site: CallSite): Judgement;
}

export interface MethodPlace {
  /** Descriptor of its class. */
  readonly owner: string;
  readonly name: string;
  readonly facts: AppFacts;
}

/** Whether a web view calls the method with what its page wants. */
export const inPageMethod = ({ name }: Pick<MethodPlace, 'name'>): boolean =>
  /^(?:shouldOverrideUrlLoading|onPageStarted|shouldInterceptRequest)$/.test(name);

/** For rules on what other apps may ask of a component. */
export const inExported = ({ owner, facts }: MethodPlace): boolean => isExported(facts, owner);

/** What is wrong, and how grave it is where this case differs from others of its code. */
export type Judgement = string | { readonly evidence: string; readonly severity: Severity } | null;

export const isCallOf = (origin: Origin, pattern: RegExp): boolean =>
  origin.kind === 'call' && pattern.test(`${origin.call.owner}->${origin.call.name}`);

/** What a person, another app or the network hands in. */
const inputs =
  /^Landroid\/content\/Intent;->get|^Landroid\/os\/(?:Base)?Bundle;->get|^Landroid\/net\/Uri;->get|^Landroid\/widget\/(?:EditText|TextView|AutoCompleteTextView);->getText$|\/(?:TextInput|AppCompat)EditText;->getText$|^Ljava\/net\/(?:URLConnection|HttpURLConnection);->getInputStream$|^Landroid\/content\/ClipData\$Item;->getText$|^Ljava\/io\/(?:BufferedReader;->readLine|DataInputStream;->readUTF)$/;
/** What of an argument is no constant and may be somebody else's: calls that read input, and parameters of other components' calls. */
export function inputIn(origins: readonly Origin[]): string | null {
  for (const origin of origins) {
    if (origin.kind === 'call' && isCallOf(origin, inputs)) return `${simple(origin.call.owner)}.${origin.call.name}()`;
    if (origin.kind === 'parameter' && isEntryText(origin)) return `parameter ${origin.place} of ${origin.method.name}`;
  }
  return null;
}

/** Of an argument, what another app hands in; what was saved of a screen, or given to a fragment, is the app's own. */
export const foreignIn = (site: CallSite, argument: number): string | null =>
  inputIn(
    site.origins(argument).filter((origin) => {
      if (origin.kind === 'call' && origin.call.owner === 'Landroid/os/Bundle;')
        return site.argumentOf(origin, 0).some((bundle) => isCallOf(bundle, /^Landroid\/content\/Intent;->get/));
      return origin.kind === 'parameter' || isCallOf(origin, /^Landroid\/(?:content\/Intent|net)/);
    }),
  );

/** Whether a parameter is a text that the framework hands an app from outside: the methods of providers. */
const isEntryText = ({ method: { name, descriptor } }: Extract<Origin, { kind: 'parameter' }>): boolean =>
  /^(?:query|delete|update|insert|openFile|call)$/.test(name) &&
  (descriptor.startsWith('(Landroid/net/Uri;') || descriptor.startsWith('(Ljava/lang/String;Ljava/lang/String;'));

export const simple = (descriptor: string): string =>
  descriptor.slice(descriptor.lastIndexOf('/') + 1, -1).replaceAll('$', '.');

export const firstOf = <Value, T>(values: readonly Value[], judge: (value: Value) => T | null): T | null => {
  for (const value of values) {
    const found = judge(value);
    if (found !== null) return found;
  }
  return null;
};

/** Fields that somebody types into. */
export const typed = {
  'Landroid/widget/EditText;': 'getText',
  'Landroid/widget/AutoCompleteTextView;': 'getText',
  'Landroidx/appcompat/widget/AppCompatEditText;': 'getText',
  'Landroid/support/v7/widget/AppCompatEditText;': 'getText',
  'Lcom/google/android/material/textfield/TextInputEditText;': 'getText',
};

/** Keys under which apps keep what opens an account: words of a name in snake or camel case. */
const secretKey =
  /(?:^|[^a-z])(?:(?:user|login)?pass(?:word|wd|phrase|code)?|pwd|pin|cvv|otp|ssn|jwt|secret|(?:access|auth|refresh|session)?token|session_?id|credential|card_?number)s?(?![a-z])/;
/** What is kept beside a secret: until when it holds, how long it is. */
const ofSecret = /(?:expir\w*|created|issued|time|date|count|size|length|enabled|hint|type|visible|_at|_in)$/;
export function isSecretKey(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return secretKey.test(words) && !ofSecret.test(words);
}

/** The same, and names of accounts. */
export const isLogInKey = (name: string): boolean => isSecretKey(name) || /user_?name|passed_/i.test(name);

/** Methods that answer what stands under a key. */
export const keyed = {
  'Landroid/content/Intent;': 'getStringExtra',
  'Landroid/os/Bundle;': 'getString',
  'Landroid/content/SharedPreferences;': 'getString',
  'Lorg/json/JSONObject;': 'getString optString',
};

/** What nobody but the user should read: by the framework's methods, and by the usual names of fields. */
export const privateMethods = {
  'Landroid/telephony/TelephonyManager;':
    'getDeviceId getImei getMeid getSubscriberId getSimSerialNumber getLine1Number',
  'Landroid/location/Location;': 'getLatitude getLongitude',
  'Landroid/accounts/AccountManager;': 'getPassword peekAuthToken',
  ...typed,
};
export const privateFields =
  'password passwd pwd pass passphrase userPassword mPassword secret token authToken accessToken sessionToken refreshToken ' +
  'pin pinCode cvv cardNumber creditCard apiKey privateKey otp';

export const isOneOf = (origin: Origin, methods: Readonly<Record<string, string>>): boolean =>
  origin.kind === 'call' && (methods[origin.call.owner]?.split(' ').includes(origin.call.name) ?? false);
const privateNames: ReadonlySet<string> = new Set(privateFields.split(' '));
const isPrivateField = (origin: Origin): boolean =>
  (origin.kind === 'field' || origin.kind === 'call') &&
  privateNames.has(/->(\w+):/.exec(origin.field ?? '')?.[1] ?? '');

/** How a text names what follows it. */
const label =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|credentials?|auth[ _-]?token|access[ _-]?token|api[ _-]?key|cvv|otp|pin)\W{0,4}$/i;

/** What of an argument nobody but the user should read, in words. */
export function privateIn(site: CallSite, argument: number): string | null {
  const origins = site.origins(argument);
  for (const [at, origin] of origins.entries()) {
    const before = origins[at - 1];
    if (origin.kind !== 'constant' && before?.kind === 'constant' && label.test(before.text))
      return `what stands behind ${before.text}`;
    if (origin.kind === 'call') {
      const name = `${simple(origin.call.owner)}.${origin.call.name}()`;
      if (isOneOf(origin, privateMethods)) return name;
      const key = isOneOf(origin, keyed) ? site.keyOf(origin) : null;
      if (key !== null && isSecretKey(key)) return `${name} of "${key}"`;
    }
    if ((origin.kind === 'field' || origin.kind === 'call') && isPrivateField(origin)) return origin.field!;
  }
  return null;
}

export const context = 'Landroid/content/Context;';
