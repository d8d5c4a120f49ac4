// What of code is taken elsewhere: a hook for Frida, a rule for YARA. Knows how both are written, and no editor.
import { symbolParts } from '../../../../server/contract/engine/code-names.ts';
import { ruleName } from '../../../components/code/byte-rule.ts';

/** A class, method or field as addresses have it, or a constant after a quotation mark. */
export type CodeTarget = string;

interface Method {
  owner: string;
  name: string;
  parameters: string[];
}

const dotted = (descriptor: string) => descriptor.slice(1, -1).replaceAll('/', '.');

function methodOf(target: CodeTarget): Method | null {
  const [, owner, name, parameters] = /^(L[^;]+;)->([^(:]+)\(([^)]*)\)/.exec(target) ?? [];
  if (owner === undefined || name === undefined || parameters === undefined) return null;
  return { owner: dotted(owner), name, parameters: parameters.match(/\[*(?:L[^;]+;|[VZBSCIJFD])/g) ?? [] };
}

const primitives: Readonly<Record<string, string>> = {
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
};

/** A type as `overload` takes it: `int`, `java.lang.String`, `[I`, `[Ljava.lang.String;`. https://frida.re/docs/javascript-api/#java */
const fridaType = (type: string): string =>
  type.startsWith('[') ? type.replaceAll('/', '.') : (primitives[type] ?? dotted(type));

/** Any text as a literal of JavaScript in which nothing is hidden. */
const script = (text: string): string =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function methodHook({ owner, name, parameters }: Method): string {
  const called = script(name === '<init>' ? '$init' : name);
  const shown = script(`${owner}.${name}`);
  return [
    'Java.perform(() => {',
    `  const method = Java.use(${script(owner)})[${called}].overload(${parameters.map((type) => script(fridaType(type))).join(', ')});`,
    '  method.implementation = function (...values) {',
    '    const result = method.call(this, ...values);',
    `    console.log(${shown} + '(' + values.join(', ') + ') = ' + result);`,
    '    return result;',
    '  };',
    '});',
    '',
  ].join('\n');
}

/** Frida stops at no access to a field: it is looked at each second, in every object where it is not static. */
function fieldWatch(owner: string, name: string): string {
  return [
    'const told = new Map();',
    'setInterval(() => Java.perform(() => {',
    `  const field = Java.use(${script(owner)}).class.getDeclaredField(${script(name)});`,
    '  field.setAccessible(true);',
    '  const tell = (object, place) => {',
    '    const value = String(field.get(object));',
    '    if (told.get(place) === value) return;',
    '    told.set(place, value);',
    `    console.log(${script(`${owner}.${name}`)} + place + ' = ' + value);`,
    '  };',
    "  const isStatic = Java.use('java.lang.reflect.Modifier').isStatic(field.getModifiers());",
    "  const identity = Java.use('java.lang.System').identityHashCode;",
    "  if (isStatic) tell(null, '');",
    `  else Java.choose(${script(owner)}, {`,
    "    onMatch: (object) => tell(object, '@' + identity(object).toString(16)),",
    '    onComplete: () => undefined,',
    '  });',
    '}), 1000);',
    '',
  ].join('\n');
}

function classHook(owner: string): string {
  return [
    'Java.perform(() => {',
    `  const owner = Java.use(${script(owner)});`,
    '  const names = new Set(owner.class.getDeclaredMethods().map((method) => method.getName()));',
    '  for (const name of names) {',
    '    for (const method of owner[name].overloads) {',
    '      method.implementation = function (...values) {',
    '        const result = method.call(this, ...values);',
    `        console.log(${script(owner)} + '.' + name + '(' + values.join(', ') + ') = ' + result);`,
    '        return result;',
    '      };',
    '    }',
    '  }',
    '});',
    '',
  ].join('\n');
}

/**
 * A script that tells each call of a method with its values and its result, of a class those of all its methods, of a field
 * each of its values.
 * @returns null for what cannot be hooked
 */
export function fridaHook(target: CodeTarget): string | null {
  const method = methodOf(target);
  if (method !== null) return method.name === '<clinit>' ? null : methodHook(method);
  const symbol = symbolParts(target);
  if (symbol?.kind === 'field') return fieldWatch(dotted(symbol.owner), symbol.name);
  return symbol?.kind === 'class' ? classHook(dotted(symbol.owner)) : null;
}

/** Strings that a rule has at most, and characters of each. */
const maxStrings = 40;
const maxLength = 500;
/** Shorter names are in every app. */
const minName = 4;

/**
 * A text as it stands in the strings of a dex file, each unit of it by itself in up to three bytes.
 * https://source.android.com/docs/core/runtime/dex-format#mutf-8
 */
function yaraString(text: string): string {
  let written = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) written += `\\${text[index]}`;
    else if (unit >= 0x20 && unit < 0x7f) written += text[index];
    else for (const byte of modifiedBytes(unit)) written += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${written}"`;
}

function modifiedBytes(unit: number): number[] {
  if (unit !== 0 && unit < 0x80) return [unit];
  if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
}

/** A constant, which also resources and native libraries may hold: as dex files have it, and in two bytes a character. */
function yaraConstant(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [`$0 = ${yaraString(text)} ascii wide`];
  const wide = Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index);
    return [unit & 0xff, unit >> 8].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  });
  return [`$0 = ${yaraString(text)}`, `$1 = { ${wide.join(' ')} }`];
}

/**
 * A rule that finds dex files which hold a constant, or the names of a method or class and the constants of its code.
 * @param constants of the method's code
 * @returns null where there is nothing by which code is told from other code
 */
export function yaraRule(target: CodeTarget, constants: readonly string[]): string | null {
  const isText = target.startsWith('"');
  const method = methodOf(target);
  const owner = /^L[^;]+;/.exec(target)?.[0];
  const names = isText ? [] : [...(owner === undefined ? [] : [owner]), ...(method === null ? [] : [method.name])];
  const texts = isText
    ? [target.slice(1)]
    : [...names.filter((name) => name.length >= minName && !name.startsWith('<')), ...constants];
  const sought = [...new Set(texts.filter((text) => text !== ''))].slice(0, maxStrings);
  if (sought.length === 0) return null;
  const strings = isText
    ? yaraConstant(sought[0]!.slice(0, maxLength))
    : sought.map((text, index) => `$${index} = ${yaraString(text.slice(0, maxLength))}`);
  return [
    `rule ${ruleName('code', isText ? target.slice(1) : `${owner ?? ''} ${method?.name ?? ''}`)}`,
    '{',
    '    strings:',
    ...strings.map((line) => `        ${line}`),
    '    condition:',
    isText ? '        any of them' : '        all of them',
    '}',
    '',
  ].join('\n');
}
