// What packers and obfuscators do to smali that the mangler does not: strings encrypted, methods that nobody needs. Knows no APK.
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import { mapMethods } from '../roundtrip/smali-body.ts';

const decoder = 'x/Decoder';
const decode = `L${decoder};->decode(Ljava/lang/String;)Ljava/lang/String;`;

const decoderClass: SmaliClass = {
  name: decoder,
  text: `.class public L${decoder};
.super Ljava/lang/Object;
.method public static decode(Ljava/lang/String;)Ljava/lang/String;
.registers 6
invoke-virtual {p0}, Ljava/lang/String;->toCharArray()[C
move-result-object v0
array-length v1, v0
const/4 v2, 0x0
:next
if-ge v2, v1, :done
aget-char v3, v0, v2
xor-int/lit8 v3, v3, 0x2a
int-to-char v3, v3
aput-char v3, v0, v2
add-int/lit8 v2, v2, 0x1
goto :next
:done
new-instance v1, Ljava/lang/String;
invoke-direct {v1, v0}, Ljava/lang/String;-><init>([C)V
return-object v1
.end method
`,
};

const encrypted = (text: string): string =>
  [...JSON.parse(`"${text.replace(/\\'/g, "'")}"`)]
    .map((letter) => `\\u${(letter.charCodeAt(0) ^ 0x2a).toString(16).padStart(4, '0')}`)
    .join('');

/** Every string is another one, which a method of the app makes the old one of when it is loaded. */
export function withEncryptedStrings(classes: readonly SmaliClass[]): SmaliClass[] {
  const changed = classes.map(({ name, text }) => ({
    name,
    text: text.replace(
      /^const-string(?:\/jumbo)? (v\d+|p\d+), "((?:[^"\\]|\\.)*)"$/gm,
      (_, register: string, value: string) =>
        [
          `const-string/jumbo ${register}, "${encrypted(value)}"`,
          `invoke-static/range {${register} .. ${register}}, ${decode}`,
          `move-result-object ${register}`,
        ].join('\n'),
    ),
  }));
  return [...changed, decoderClass];
}

const sumOf = (text: string): number =>
  [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0;

/** A method that nobody calls after every so many, another in each class. */
export function withJunk(classes: readonly SmaliClass[], each: number): SmaliClass[] {
  let number = 0;
  return classes.map(({ name, text }) => {
    const seed = sumOf(name);
    if (/^\.class.* interface /m.test(text)) return { name, text };
    const junked = (method: readonly string[]) =>
      ++number % each === 0 ? [...method, ...junk(Math.imul(seed, number) >>> 0, number)] : [...method];
    return { name, text: mapMethods(text, junked) };
  });
}

const junk = (seed: number, number: number): string[] => [
  `.method public static junk${number}(I)I`,
  '.registers 3',
  `const v0, ${(seed >>> 4) + 256}`,
  ...Array.from({ length: 4 + (seed % 11) }, (_, index) => {
    const operations = ['add-int v1, v0, p0', 'mul-int v0, v1, v0', 'shr-int v1, v1, v0', 'xor-int v0, v0, v1'];
    return operations[(seed >>> index) % 4]!;
  }),
  'return v0',
  '.end method',
];
