// Where XML is read from: streams, readers, files, InputSource. Knows no event and no document.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod } from '../../machine/model.ts';
import { readAll } from '../io/byte-input.ts';
import { readAllText } from '../io/readers.ts';
import { canonicalCharset, decodeBytes } from '../nio/charset-codec.ts';
import { nothing, optionalText, type Reference, required, textOf } from '../values.ts';
import { XmlFault } from './xml-events.ts';

export interface XmlText {
  readonly text: string;
  readonly taint: Taint;
}

interface InputSource {
  readonly stream: Reference;
  readonly reader: Reference;
  readonly address: string | null;
}

const SOURCE = 'Lorg/xml/sax/InputSource;';

function fromStream(machine: Machine, stream: HeapObject): XmlText {
  const { data, taint } = readAll(machine, stream);
  const head = Buffer.from(data.subarray(0, 200)).toString('latin1');
  const named = /^<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1];
  return { text: decodeBytes(data, (named === undefined ? null : canonicalCharset(named)) ?? 'UTF-8'), taint };
}

/** The whole text of an InputStream, a Reader, a File or an InputSource. */
export function readXmlText(machine: Machine, from: Reference): XmlText {
  const source = required(machine, from, 'InputSource may not be null');
  if (machine.isInstance(source, 'Ljava/io/Reader;')) return readAllText(machine, source);
  if (machine.isInstance(source, 'Ljava/io/File;')) {
    return fromStream(machine, machine.construct('Ljava/io/FileInputStream;', '<init>(Ljava/io/File;)V', source));
  }
  if (!machine.isInstance(source, SOURCE)) return fromStream(machine, source);
  const { stream, reader, address } = source.native as InputSource;
  if (reader !== null) return readAllText(machine, reader);
  if (stream !== null) return fromStream(machine, stream);
  const url = machine.construct('Ljava/net/URL;', '<init>(Ljava/lang/String;)V', machine.string(address ?? ''));
  return fromStream(machine, machine.call(url, 'openStream()Ljava/io/InputStream;') as HeapObject);
}

/** Runs a parser of the text; what is wrong with it is a SAXParseException. */
export function parsing<T>(machine: Machine, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    throw machine.exception('Lorg/xml/sax/SAXParseException;', `At position ${error.at}: ${error.message}`);
  }
}

const empty: InputSource = { stream: null, reader: null, address: null };
const making =
  (part: (machine: Machine, given: Reference) => Partial<InputSource>): NativeMethod =>
  (machine, self, given: Reference = null) => {
    self.native = { ...((self.native as InputSource | undefined) ?? empty), ...part(machine, given) };
  };
const stream = making((_machine, given) => ({ stream: given }));
const reader = making((_machine, given) => ({ reader: given }));
const address = making((machine, given) => ({
  address: optionalText(given) ?? (given ? textOf(machine, given) : null),
}));

export const xmlSourceModels: Record<string, ModelClass> = {
  [SOURCE]: {
    methods: {
      '<init>()V': making(() => ({})),
      '<init>(Ljava/io/InputStream;)V': stream,
      '<init>(Ljava/io/Reader;)V': reader,
      '<init>(Ljava/lang/String;)V': address,
      'setByteStream(Ljava/io/InputStream;)V': stream,
      'setCharacterStream(Ljava/io/Reader;)V': reader,
      'setSystemId(Ljava/lang/String;)V': address,
      'setEncoding(Ljava/lang/String;)V': nothing,
    },
  },
  'Lorg/xml/sax/SAXException;': { extends: 'Ljava/lang/Exception;' },
  'Lorg/xml/sax/SAXParseException;': { extends: 'Lorg/xml/sax/SAXException;' },
  'Ljavax/xml/parsers/ParserConfigurationException;': { extends: 'Ljava/lang/Exception;' },
};
