// java.nio.charset: Charset objects and the standard ones. Knows the codec by name; `native` is the canonical name.
import type { HeapObject, JavaString } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { stringHash } from '../lang/number-text.ts';
import { instance, type Reference, textOf } from '../values.ts';
import { bufferOf, bufferOn } from './buffers.ts';
import { canonicalCharset, decodeBytes, encodeText, requireCharset } from './charset-codec.ts';

const CHARSET = 'Ljava/nio/charset/Charset;';

/** The Charset object of a canonical name, one per run. */
function charsetObject(machine: Machine, name: string): HeapObject {
  const known = machine.state('java.charsets', () => new Map<string, HeapObject>());
  let charset = known.get(name);
  if (charset === undefined) {
    charset = instance(machine, CHARSET, name);
    known.set(name, charset);
  }
  return charset;
}

const name = (self: HeapObject): string => self.native as string;
const S = 'Ljava/lang/String;';

const constant = (charset: string) => (machine: Machine) => charsetObject(machine, charset);

const DECODER = 'Ljava/nio/charset/CharsetDecoder;';
const ENCODER = 'Ljava/nio/charset/CharsetEncoder;';

const decode = (machine: Machine, self: HeapObject, buffer: HeapObject): HeapObject => {
  const { data, taint } = bufferOf(machine, buffer);
  return instance(machine, 'Ljava/nio/CharBuffer;', { text: decodeBytes(data, name(self)), taint }, taint);
};

/** What decoders and encoders have alike. What cannot be coded becomes a replacement, whatever was asked for. */
const coderMethods = (type: string): ModelClass['methods'] => ({
  [`charset()${CHARSET}`]: (machine, self) => charsetObject(machine, name(self)),
  [`onMalformedInput(Ljava/nio/charset/CodingErrorAction;)${type}`]: (_machine, self) => self,
  [`onUnmappableCharacter(Ljava/nio/charset/CodingErrorAction;)${type}`]: (_machine, self) => self,
  [`reset()${type}`]: (_machine, self) => self,
});

export const charsetModels: Record<string, ModelClass> = {
  [CHARSET]: {
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      [`name()${S}`]: (machine, self) => machine.string(name(self)),
      [`displayName()${S}`]: (machine, self) => machine.string(name(self)),
      [`toString()${S}`]: (machine, self) => machine.string(name(self)),
      'canEncode()Z': () => 1,
      'hashCode()I': (_machine, self) => stringHash(name(self)),
      'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
        other?.cls === self.cls && name(other) === name(self),
      [`encode(!${S})Ljava/nio/ByteBuffer;`]: (machine, self, text: JavaString) =>
        bufferOn(machine, machine.byteArray(encodeText(textOf(machine, text), name(self)), text.taint)),
      'decode(Ljava/nio/ByteBuffer;)Ljava/nio/CharBuffer;': decode,
      [`newDecoder()${DECODER}`]: (machine, self) => instance(machine, DECODER, name(self)),
      [`newEncoder()${ENCODER}`]: (machine, self) => instance(machine, ENCODER, name(self)),
    },
    staticMethods: {
      [`forName(${S})${CHARSET}`]: (machine, text: Reference) =>
        charsetObject(machine, requireCharset(machine, textOf(machine, text))),
      [`isSupported(${S})Z`]: (machine, text: Reference) => canonicalCharset(textOf(machine, text)) !== null,
      [`defaultCharset()${CHARSET}`]: constant('UTF-8'),
    },
  },
  [DECODER]: { methods: { ...coderMethods(DECODER), 'decode(Ljava/nio/ByteBuffer;)Ljava/nio/CharBuffer;': decode } },
  [ENCODER]: {
    methods: {
      ...coderMethods(ENCODER),
      'encode(Ljava/nio/CharBuffer;)Ljava/nio/ByteBuffer;': (machine, self, buffer: Reference) => {
        const { text, taint } = machine.toText(buffer);
        return bufferOn(machine, machine.byteArray(encodeText(text, name(self)), taint));
      },
      'canEncode(C)Z': () => 1,
      'canEncode(Ljava/lang/CharSequence;)Z': () => 1,
    },
  },
  'Ljava/nio/charset/StandardCharsets;': {
    constants: {
      [`UTF_8:${CHARSET}`]: constant('UTF-8'),
      [`US_ASCII:${CHARSET}`]: constant('US-ASCII'),
      [`ISO_8859_1:${CHARSET}`]: constant('ISO-8859-1'),
      [`UTF_16:${CHARSET}`]: constant('UTF-16'),
      [`UTF_16BE:${CHARSET}`]: constant('UTF-16BE'),
      [`UTF_16LE:${CHARSET}`]: constant('UTF-16LE'),
    },
  },
  'Ljava/nio/CharBuffer;': {
    implements: ['Ljava/lang/CharSequence;'],
    methods: {
      [`toString()${S}`]: (machine, self) => {
        const { text, taint } = self.native as { text: string; taint: number };
        return machine.string(text, taint);
      },
      'length()I': (_machine, self) => (self.native as { text: string }).text.length,
      'charAt(I)C': (_machine, self, index: number) => (self.native as { text: string }).text.charCodeAt(index),
    },
    staticMethods: {
      'wrap(Ljava/lang/CharSequence;)Ljava/nio/CharBuffer;': (machine, text: Reference) => {
        const own = machine.toText(text);
        return instance(machine, 'Ljava/nio/CharBuffer;', { text: own.text, taint: own.taint }, own.taint);
      },
    },
  },
};
