// Models of SAX: parsers that call an app's handler for each element. Knows no document.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod } from '../../machine/model.ts';
import { charArray, instance, nothing, type Reference, required, textOf } from '../values.ts';
import { parsing, readXmlText, type XmlText } from './sources.ts';
import { localNameOf, xmlEvents } from './xml-events.ts';

const S = 'Ljava/lang/String;';
const ATTRIBUTES = 'Lorg/xml/sax/AttributesImpl;';
const HANDLER = 'Lorg/xml/sax/helpers/DefaultHandler;';

interface Attributes {
  readonly list: readonly (readonly [string, string])[];
  readonly taint: Taint;
}

/** Calls a handler with the events of a document. @throws JavaThrow SAXParseException, and what the handler throws */
export function tellHandler(machine: Machine, { text, taint }: XmlText, handler: HeapObject): void {
  machine.call(handler, 'startDocument()V');
  parsing(machine, () => {
    for (const event of xmlEvents(text)) {
      machine.charge(64);
      switch (event.kind) {
        case 'start': {
          const attributes = instance(machine, ATTRIBUTES, { list: event.attributes, taint } satisfies Attributes);
          const name = machine.string(event.name, taint);
          const local = machine.string(localNameOf(event.name), taint);
          machine.call(
            handler,
            `startElement(${S}${S}${S}Lorg/xml/sax/Attributes;)V`,
            machine.string(''),
            local,
            name,
            attributes,
          );
          break;
        }
        case 'end': {
          const local = machine.string(localNameOf(event.name), taint);
          machine.call(
            handler,
            `endElement(${S}${S}${S})V`,
            machine.string(''),
            local,
            machine.string(event.name, taint),
          );
          break;
        }
        case 'text':
        case 'cdata':
          machine.call(handler, 'characters([CII)V', charArray(machine, event.text, taint), 0, event.text.length);
          break;
        case 'instruction':
          machine.call(
            handler,
            `processingInstruction(${S}${S})V`,
            machine.string(event.target),
            machine.string(event.text),
          );
          break;
      }
    }
  });
  machine.call(handler, 'endDocument()V');
}

const parse: NativeMethod = (machine, _self, source: Reference, handler: Reference) => {
  tellHandler(machine, readXmlText(machine, source), required(machine, handler));
};

const attributesOf = (self: HeapObject): Attributes => self.native as Attributes;

const attributeAt =
  (part: 0 | 1, isLocal = false): NativeMethod =>
  (machine, self, index: number) => {
    const { list, taint } = attributesOf(self);
    const found = list[index]?.[part];
    return found === undefined ? null : machine.string(isLocal ? localNameOf(found) : found, taint);
  };

const valueNamed = (machine: Machine, self: HeapObject, fits: (name: string) => boolean): Reference => {
  const { list, taint } = attributesOf(self);
  const found = list.find(([name]) => fits(name));
  return found === undefined ? null : machine.string(found[1], taint);
};

interface Reader {
  handler: Reference;
}
const readerOf = (self: HeapObject): Reader => {
  self.native ??= { handler: null } satisfies Reader;
  return self.native as Reader;
};

const sourceTypes = ['Ljava/io/InputStream;', 'Ljava/io/File;', 'Lorg/xml/sax/InputSource;'];
const documentEvents = [
  'startDocument()V',
  'endDocument()V',
  `startElement(${S}${S}${S}Lorg/xml/sax/Attributes;)V`,
  `endElement(${S}${S}${S})V`,
  'characters([CII)V',
  'ignorableWhitespace([CII)V',
  `processingInstruction(${S}${S})V`,
  `startPrefixMapping(${S}${S})V`,
  `endPrefixMapping(${S})V`,
  `skippedEntity(${S})V`,
  'setDocumentLocator(Lorg/xml/sax/Locator;)V',
];
const faults = ['warning', 'error', 'fatalError'].map((name) => `${name}(Lorg/xml/sax/SAXParseException;)V`);

const nothingFor = (signatures: readonly string[]) =>
  Object.fromEntries(signatures.map((signature): [string, NativeMethod] => [signature, nothing]));

export const saxModels: Record<string, ModelClass> = {
  'Ljavax/xml/parsers/SAXParserFactory;': {
    methods: {
      'newSAXParser()Ljavax/xml/parsers/SAXParser;': (machine) => machine.allocate('Ljavax/xml/parsers/SAXParser;'),
      ...nothingFor(['setNamespaceAware(Z)V', 'setValidating(Z)V', `setFeature(${S}Z)V`, 'setXIncludeAware(Z)V']),
    },
    staticMethods: {
      'newInstance()Ljavax/xml/parsers/SAXParserFactory;': (machine) =>
        machine.allocate('Ljavax/xml/parsers/SAXParserFactory;'),
    },
  },
  'Ljavax/xml/parsers/SAXParser;': {
    methods: {
      ...Object.fromEntries(
        sourceTypes.flatMap((type): [string, NativeMethod][] => [
          [`parse(${type}${HANDLER})V`, parse],
          [`parse(${type}Lorg/xml/sax/HandlerBase;)V`, parse],
        ]),
      ),
      'getXMLReader()Lorg/xml/sax/XMLReader;': (machine) => machine.allocate('Lorg/xml/sax/XMLReaderImpl;'),
      'reset()V': nothing,
    },
  },
  'Lorg/xml/sax/XMLReader;': { isInterface: true },
  'Lorg/xml/sax/XMLReaderImpl;': {
    implements: ['Lorg/xml/sax/XMLReader;'],
    methods: {
      'setContentHandler(Lorg/xml/sax/ContentHandler;)V': (_machine, self, handler: Reference) => {
        readerOf(self).handler = handler;
      },
      'getContentHandler()Lorg/xml/sax/ContentHandler;': (_machine, self) => readerOf(self).handler,
      'parse(Lorg/xml/sax/InputSource;)V': (machine, self, source: Reference) => {
        const { handler } = readerOf(self);
        const text = readXmlText(machine, source);
        if (handler !== null) tellHandler(machine, text, handler);
      },
      ...nothingFor([
        'setErrorHandler(Lorg/xml/sax/ErrorHandler;)V',
        'setEntityResolver(Lorg/xml/sax/EntityResolver;)V',
        'setDTDHandler(Lorg/xml/sax/DTDHandler;)V',
        `setFeature(${S}Z)V`,
        `setProperty(${S}Ljava/lang/Object;)V`,
      ]),
    },
  },
  'Lorg/xml/sax/helpers/XMLReaderFactory;': {
    staticMethods: {
      'createXMLReader()Lorg/xml/sax/XMLReader;': (machine) => machine.allocate('Lorg/xml/sax/XMLReaderImpl;'),
    },
  },
  'Lorg/xml/sax/ContentHandler;': { isInterface: true, abstractMethods: documentEvents },
  'Lorg/xml/sax/ErrorHandler;': { isInterface: true, abstractMethods: faults },
  [HANDLER]: {
    implements: ['Lorg/xml/sax/ContentHandler;', 'Lorg/xml/sax/ErrorHandler;'],
    methods: { '<init>()V': nothing, ...nothingFor(documentEvents), ...nothingFor(faults) },
  },
  'Lorg/xml/sax/Attributes;': { isInterface: true },
  [ATTRIBUTES]: {
    implements: ['Lorg/xml/sax/Attributes;'],
    methods: {
      'getLength()I': (_machine, self) => attributesOf(self).list.length,
      [`getQName(I)${S}`]: attributeAt(0),
      [`getLocalName(I)${S}`]: attributeAt(0, true),
      [`getURI(I)${S}`]: (machine) => machine.string(''),
      [`getType(I)${S}`]: (machine) => machine.string('CDATA'),
      [`getValue(I)${S}`]: attributeAt(1),
      [`getValue(${S})${S}`]: (machine, self, name: Reference) => {
        const wanted = textOf(machine, name);
        return valueNamed(machine, self, (each) => each === wanted);
      },
      [`getValue(${S}${S})${S}`]: (machine, self, _namespace: Reference, name: Reference) => {
        const wanted = textOf(machine, name);
        return valueNamed(machine, self, (each) => localNameOf(each) === wanted);
      },
      [`getIndex(${S})I`]: (machine, self, name: Reference) => {
        const wanted = textOf(machine, name);
        return attributesOf(self).list.findIndex(([each]) => each === wanted);
      },
    },
  },
};
