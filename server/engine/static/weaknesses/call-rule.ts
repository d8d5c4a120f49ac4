// The shape of a rule on calls, and what several rules ask of an argument. Knows no rule.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Origin } from '../../code/origins.ts';
import type { CallSite } from './call-site.ts';

export interface CallRule {
  readonly code: FindingCode;
  /** Names of the methods that are judged, by class descriptor, separated by blanks. */
  readonly calls: Readonly<Record<string, string>>;
  /** What the method has to do as well, without which its calls need not be looked at. */
  readonly beside?: {
    /** Methods that it calls, as in `calls`. */
    readonly methods: Readonly<Record<string, string>>;
    /** Names of fields of any class that it reads, separated by blanks. */
    readonly fields?: string;
  };
  /** What is wrong, as evidence; null where nothing is. */
  judge(site: CallSite): string | null;
}

export const isCallOf = (origin: Origin, pattern: RegExp): boolean =>
  origin.kind === 'call' && pattern.test(`${origin.call.owner}->${origin.call.name}`);

/** What a person, another app or the network hands in. */
const inputs =
  /^Landroid\/content\/Intent;->get|^Landroid\/os\/(?:Base)?Bundle;->get|^Landroid\/net\/Uri;->get|^Landroid\/widget\/(?:EditText|TextView|AutoCompleteTextView);->getText$|^Lcom\/google\/android\/material\/textfield\/TextInputEditText;->getText$|^Ljava\/net\/(?:URLConnection|HttpURLConnection);->getInputStream$|^Landroid\/content\/ClipData\$Item;->getText$|^Ljava\/io\/(?:BufferedReader;->readLine|DataInputStream;->readUTF)$/;
/** What of an argument is no constant and may be somebody else's: calls that read input, and parameters of other components' calls. */
export function inputIn(origins: readonly Origin[]): string | null {
  for (const origin of origins) {
    if (origin.kind === 'call' && isCallOf(origin, inputs)) return `${simple(origin.call.owner)}.${origin.call.name}()`;
    if (origin.kind === 'parameter' && isEntryText(origin)) return `parameter ${origin.place} of ${origin.method.name}`;
  }
  return null;
}

/** Whether a parameter is a text that the framework hands an app from outside: the methods of providers. */
const isEntryText = ({ method: { name, descriptor } }: Extract<Origin, { kind: 'parameter' }>): boolean =>
  /^(?:query|delete|update|insert)$/.test(name) && descriptor.startsWith('(Landroid/net/Uri;');

export const simple = (descriptor: string): string =>
  descriptor.slice(descriptor.lastIndexOf('/') + 1, -1).replaceAll('$', '.');

export const firstOf = <T>(values: readonly string[], judge: (text: string) => T | null): T | null => {
  for (const value of values) {
    const found = judge(value);
    if (found !== null) return found;
  }
  return null;
};

/** What nobody but the user should read: by the framework's methods, and by the usual names of fields. */
export const privateMethods = {
  'Landroid/telephony/TelephonyManager;':
    'getDeviceId getImei getMeid getSubscriberId getSimSerialNumber getLine1Number',
  'Landroid/location/Location;': 'getLatitude getLongitude',
  'Landroid/accounts/AccountManager;': 'getPassword peekAuthToken',
  'Landroid/widget/EditText;': 'getText',
};
export const privateFields =
  'password passwd pwd pass passphrase userPassword mPassword secret token authToken accessToken sessionToken refreshToken ' +
  'pin pinCode cvv cardNumber creditCard apiKey privateKey otp';
export const typed = { 'Landroid/widget/EditText;': 'getText' };

export const isOneOf = (origin: Origin, methods: Readonly<Record<string, string>>): boolean =>
  origin.kind === 'call' && (methods[origin.call.owner]?.split(' ').includes(origin.call.name) ?? false);
export const isPrivateField = (origin: Origin): boolean =>
  origin.kind === 'field' && privateFields.split(' ').includes(/->(\w+):/.exec(origin.field)?.[1] ?? '');

export const context = 'Landroid/content/Context;';
