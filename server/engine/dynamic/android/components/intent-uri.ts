// Intents written as `intent:` URIs and read from them (Intent.toUri, Intent.parseUri). Knows no other method of Intent.
import { numberFormat } from '../../java/lang/integer-boxes.ts';
import type { Value } from '../../machine/heap.ts';
import type { Machine, NativeMethod } from '../../machine/model.ts';
import { decoded, encoded, newUri } from '../data/uri.ts';
import { flag, plain, type Reference } from '../model-parts.ts';
import { boxed } from './bundle.ts';
import { componentFrom } from './component-name.ts';
import { blank, type IntentState, newIntent, shapeOf } from './intent-state.ts';

const uriTypes: Readonly<Record<string, string>> = {
  Z: 'B',
  B: 'b',
  C: 'c',
  D: 'd',
  F: 'f',
  I: 'i',
  J: 'l',
  S: 's',
  L: 'S',
};

/** @param isWhole whether the URI's scheme is `intent`, with that of the data among the fields (`URI_INTENT_SCHEME`) */
export function intentUri(machine: Machine, state: IntentState, isWhole: boolean): string {
  const { action, data, type, categories, className, packageName } = shapeOf(machine, state);
  const scheme = (isWhole && data !== null && /^([a-z][a-z0-9+.-]*):/i.exec(data)?.[1]) || '';
  const fields = [
    scheme === '' ? '' : `scheme=${scheme};`,
    action === null ? '' : `action=${encoded(action)};`,
    ...categories.map((category) => `category=${encoded(category)};`),
    type === null ? '' : `type=${encoded(type)};`,
    state.flags === 0 ? '' : `launchFlags=0x${(state.flags >>> 0).toString(16)};`,
    state.package === null || packageName === null ? '' : `package=${encoded(packageName)};`,
    className === null ? '' : `component=${encoded(`${state.component!.packageName}/${className}`)};`,
    ...[...state.extras].flatMap(([key, kept]) => {
      const letter = uriTypes[kept.kind];
      const value = machine.toText(boxed(machine, kept)).text;
      const isText = kept.kind !== 'L' || (kept.value as Reference)?.cls.descriptor === 'Ljava/lang/String;';
      return letter !== undefined && isText ? [`${letter}.${encoded(key)}=${encoded(value)};`] : [];
    }),
  ];
  const rest = scheme === '' ? (data ?? '') : data!.slice(scheme.length + 1);
  return `${isWhole ? 'intent:' : ''}${rest}#Intent;${fields.join('')}end`;
}

/** The value of a primitive extra. @throws NumberFormatException as a Java one */
function numberOf(machine: Machine, kind: string, text: string): Value {
  if (kind === 'Z') return flag(text === 'true');
  if (kind === 'C') return text.charCodeAt(0) || 0;
  const isWhole = 'BIJS'.includes(kind);
  if (isWhole ? !/^[+-]?\d{1,19}$/.test(text) : Number.isNaN(Number(text))) throw numberFormat(machine, text);
  return kind === 'J' ? BigInt(text) : Number(text);
}

export const parseUri: NativeMethod = (machine, uri: Reference) => {
  const whole = plain(machine, uri);
  const taint = uri?.taint ?? 0;
  const at = whole.indexOf('#Intent;');
  const state = blank();
  const data = (at < 0 ? whole : whole.slice(0, at)).replace(/^intent:/, '');
  let scheme = '';
  if (at < 0) state.action = machine.string('android.intent.action.VIEW');
  for (const field of (at < 0 ? '' : whole.slice(at + 8)).split(';')) {
    const equals = field.indexOf('=');
    if (equals < 0) continue;
    const name = field.slice(0, equals);
    const value = decoded(field.slice(equals + 1));
    const string = machine.string(value, taint);
    if (name === 'action') state.action = string;
    else if (name === 'category') state.categories.set(value, string);
    else if (name === 'type') state.type = string;
    else if (name === 'package') state.package = string;
    else if (name === 'scheme') scheme = `${value}:`;
    else if (name === 'launchFlags') state.flags = Number(value) | 0;
    else if (name === 'component') {
      const slash = value.indexOf('/');
      state.component = componentFrom(machine, value.slice(0, slash), value.slice(slash + 1));
    } else if (name[1] === '.') {
      const kind = Object.entries(uriTypes).find(([, letter]) => letter === name[0])?.[0] ?? 'L';
      const kept = { kind, value: kind === 'L' ? string : numberOf(machine, kind, value), taint };
      state.extras.set(decoded(name.slice(2)), kept);
    }
  }
  if (data !== '' || scheme !== '') state.data = newUri(machine, scheme + data, taint);
  return newIntent(machine, state);
};
