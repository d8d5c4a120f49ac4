// Models of DOM: documents read from XML or made by the app, walked, changed and written out again. Knows no parser's events
// but their order.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { instance, nothing, type Reference, required, textOf } from '../values.ts';
import { parsing, readXmlText, type XmlText } from './sources.ts';
import { localNameOf, xmlEvents } from './xml-events.ts';

const S = 'Ljava/lang/String;';
const dom = (name: string): string => `Lorg/w3c/dom/${name};`;
const NODE = dom('Node');

type Kind = 'Element' | 'Attr' | 'Text' | 'CDATASection' | 'ProcessingInstruction' | 'Comment' | 'Document';
const types: Readonly<Record<Kind, number>> = {
  Element: 1,
  Attr: 2,
  Text: 3,
  CDATASection: 4,
  ProcessingInstruction: 7,
  Comment: 8,
  Document: 9,
};

interface DomNode {
  readonly kind: Kind;
  readonly name: string;
  value: string;
  /** Taint of name and value: of the document that it was read from, or of the text that was set. */
  taint: Taint;
  readonly attributes: Map<string, DomNode>;
  readonly children: DomNode[];
  parent: DomNode | null;
  document: DomNode | null;
  object: HeapObject | null;
}

/** Bound on the nodes that the app creates in one document; parsed ones are bounded by the parser's events. */
const nodeBytes = 200;

function newNode(machine: Machine, kind: Kind, name: string, value: string, taint: Taint): DomNode {
  machine.charge(nodeBytes);
  const node = {
    kind,
    name,
    value,
    taint,
    attributes: new Map(),
    children: [],
    parent: null,
    document: null,
    object: null,
  };
  return node;
}

function objectOf(machine: Machine, node: DomNode | null | undefined): Reference {
  if (node === null || node === undefined) return null;
  node.object ??= instance(machine, dom(`${node.kind}Impl`), node, node.taint);
  return node.object;
}

const nodeOf = (machine: Machine, object: Reference): DomNode => required(machine, object).native as DomNode;

function append(parent: DomNode, child: DomNode, before: DomNode | null = null): void {
  detach(child);
  const at = before === null ? -1 : parent.children.indexOf(before);
  parent.children.splice(at < 0 ? parent.children.length : at, 0, child);
  child.parent = parent;
}

function detach(child: DomNode): void {
  const siblings = child.parent?.children;
  const at = siblings?.indexOf(child) ?? -1;
  if (at >= 0) siblings!.splice(at, 1);
  child.parent = null;
}

const fixedNames: Partial<Record<Kind, string>> = {
  Text: '#text',
  CDATASection: '#cdata-section',
  Comment: '#comment',
  Document: '#document',
};

function readDocument(machine: Machine, { text, taint }: XmlText): DomNode {
  const document = newNode(machine, 'Document', '#document', '', taint);
  let at = document;
  parsing(machine, () => {
    for (const event of xmlEvents(text)) {
      if (event.kind === 'end') at = at.parent ?? document;
      else if (event.kind === 'start') {
        const element = newNode(machine, 'Element', event.name, '', taint);
        for (const [name, value] of event.attributes) setAttribute(machine, element, name, value, taint);
        append(at, element);
        at = element;
      } else if (event.kind === 'instruction') {
        append(at, newNode(machine, 'ProcessingInstruction', event.target, event.text, taint));
      } else {
        const kind = event.kind === 'text' ? 'Text' : event.kind === 'cdata' ? 'CDATASection' : 'Comment';
        append(at, newNode(machine, kind, fixedNames[kind]!, event.text, taint));
      }
    }
  });
  return document;
}

function setAttribute(machine: Machine, element: DomNode, name: string, value: string, taint: Taint): void {
  const attribute = newNode(machine, 'Attr', name, value, taint);
  attribute.document = element;
  element.attributes.set(name, attribute);
}

/** All elements below a node, in the document's order. */
function* elementsBelow(node: DomNode): Generator<DomNode> {
  for (const child of node.children) {
    if (child.kind === 'Element') yield child;
    yield* elementsBelow(child);
  }
}

function textContent(machine: Machine, node: DomNode): { text: string; taint: Taint } {
  if (node.kind !== 'Element' && node.kind !== 'Document') return { text: node.value, taint: node.taint };
  let text = '';
  let taint: Taint = 0;
  for (const child of node.children) {
    if (child.kind === 'Comment' || child.kind === 'ProcessingInstruction') continue;
    const inner = textContent(machine, child);
    text += inner.text;
    taint = machine.union(taint, inner.taint);
  }
  return { text, taint };
}

const listOf = (machine: Machine, nodes: DomNode[]): HeapObject => instance(machine, dom('NodeListImpl'), nodes);

const named =
  (isLocal: boolean): NativeMethod =>
  (machine, self, ...names: Reference[]) => {
    const wanted = textOf(machine, names.at(-1) ?? null);
    const fits = ({ name }: DomNode) => wanted === '*' || (isLocal ? localNameOf(name) : name) === wanted;
    return listOf(machine, [...elementsBelow(nodeOf(machine, self))].filter(fits));
  };

const relative =
  (find: (node: DomNode) => DomNode | null | undefined): NativeMethod =>
  (machine, self) =>
    objectOf(machine, find(nodeOf(machine, self)));

const sibling = (step: number) => relative((node) => node.parent?.children[node.parent.children.indexOf(node) + step]);

const textual =
  (read: (node: DomNode) => string | null): NativeMethod =>
  (machine, self) => {
    const node = nodeOf(machine, self);
    const text = read(node);
    return text === null ? null : machine.string(text, node.taint);
  };

const hasValue = ({ kind }: DomNode): boolean => kind !== 'Element' && kind !== 'Document';

const setValue: NativeMethod = (machine, self, value: Reference) => {
  const node = nodeOf(machine, self);
  Object.assign(node, { value: value === null ? '' : textOf(machine, value), taint: value?.taint ?? 0 });
};

const inserting: NativeMethod = (machine, self, child: Reference, before: Reference = null) => {
  append(nodeOf(machine, self), nodeOf(machine, child), before === null ? null : nodeOf(machine, before));
  return child;
};

const rootOf = (node: DomNode): DomNode => {
  let root = node;
  while (root.parent !== null) root = root.parent;
  return root;
};

const nodeMethods: NativeMethods = {
  'getNodeType()S': (machine, self) => types[nodeOf(machine, self).kind],
  [`getNodeName()${S}`]: textual(({ name }) => name),
  [`getLocalName()${S}`]: textual(({ name }) => localNameOf(name)),
  [`getPrefix()${S}`]: textual(({ name }) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : null)),
  [`getNamespaceURI()${S}`]: () => null,
  [`getNodeValue()${S}`]: textual((node) => (hasValue(node) ? node.value : null)),
  [`setNodeValue(${S})V`]: setValue,
  [`getTextContent()${S}`]: (machine, self) => {
    const { text, taint } = textContent(machine, nodeOf(machine, self));
    return machine.string(text, taint);
  },
  [`setTextContent(${S})V`]: (machine, self, value: Reference) => {
    const node = nodeOf(machine, self);
    if (hasValue(node)) return setValue(machine, self, value);
    for (const child of [...node.children]) detach(child);
    append(node, newNode(machine, 'Text', '#text', value === null ? '' : textOf(machine, value), value?.taint ?? 0));
  },
  [`getChildNodes()${dom('NodeList')}`]: (machine, self) => listOf(machine, nodeOf(machine, self).children),
  'hasChildNodes()Z': (machine, self) => Number(nodeOf(machine, self).children.length > 0),
  'hasAttributes()Z': (machine, self) => Number(nodeOf(machine, self).attributes.size > 0),
  [`getFirstChild()${NODE}`]: relative(({ children }) => children[0]),
  [`getLastChild()${NODE}`]: relative(({ children }) => children.at(-1)),
  [`getNextSibling()${NODE}`]: sibling(1),
  [`getPreviousSibling()${NODE}`]: relative((node) => {
    const at = node.parent?.children.indexOf(node) ?? 0;
    return at > 0 ? node.parent!.children[at - 1] : null;
  }),
  [`getParentNode()${NODE}`]: relative(({ parent }) => parent),
  [`getOwnerDocument()${dom('Document')}`]: relative((node) => {
    const root = rootOf(node);
    return root.kind === 'Document' ? root : (root.document ?? null);
  }),
  [`getAttributes()${dom('NamedNodeMap')}`]: (machine, self) => {
    const node = nodeOf(machine, self);
    return node.kind === 'Element' ? instance(machine, dom('NamedNodeMapImpl'), node) : null;
  },
  [`appendChild(${NODE})${NODE}`]: inserting,
  [`insertBefore(${NODE}${NODE})${NODE}`]: inserting,
  [`removeChild(${NODE})${NODE}`]: (machine, _self, child: Reference) => {
    detach(nodeOf(machine, child));
    return child;
  },
  [`replaceChild(${NODE}${NODE})${NODE}`]: (machine, self, child: Reference, old: Reference) => {
    append(nodeOf(machine, self), nodeOf(machine, child), nodeOf(machine, old));
    detach(nodeOf(machine, old));
    return old;
  },
  'normalize()V': nothing,
};

const attributeOf = (machine: Machine, self: HeapObject, name: Reference): DomNode | undefined =>
  nodeOf(machine, self).attributes.get(textOf(machine, name));

const elementMethods: NativeMethods = {
  [`getTagName()${S}`]: textual(({ name }) => name),
  [`getAttribute(${S})${S}`]: (machine, self, name: Reference) => {
    const found = attributeOf(machine, self, name);
    return machine.string(found?.value ?? '', found?.taint ?? 0);
  },
  [`getAttributeNS(${S}${S})${S}`]: (machine, self, _namespace: Reference, name: Reference) => {
    const wanted = textOf(machine, name);
    const found = [...nodeOf(machine, self).attributes.values()].find((each) => localNameOf(each.name) === wanted);
    return machine.string(found?.value ?? '', found?.taint ?? 0);
  },
  [`getAttributeNode(${S})${dom('Attr')}`]: (machine, self, name: Reference) =>
    objectOf(machine, attributeOf(machine, self, name)),
  [`hasAttribute(${S})Z`]: (machine, self, name: Reference) => Number(attributeOf(machine, self, name) !== undefined),
  [`setAttribute(${S}${S})V`]: (machine, self, name: Reference, value: Reference) =>
    setAttribute(machine, nodeOf(machine, self), textOf(machine, name), textOf(machine, value), value?.taint ?? 0),
  [`removeAttribute(${S})V`]: (machine, self, name: Reference) =>
    nodeOf(machine, self).attributes.delete(textOf(machine, name)),
  [`getElementsByTagName(${S})${dom('NodeList')}`]: named(false),
  [`getElementsByTagNameNS(${S}${S})${dom('NodeList')}`]: named(true),
};

const creating =
  (kind: Kind): NativeMethod =>
  (machine, self, given: Reference) => {
    const text = given === null ? '' : textOf(machine, given);
    const name = fixedNames[kind] ?? text;
    const node = newNode(machine, kind, name, name === text ? '' : text, given?.taint ?? 0);
    node.document = nodeOf(machine, self);
    return objectOf(machine, node);
  };

const documentMethods: NativeMethods = {
  [`getDocumentElement()${dom('Element')}`]: relative(({ children }) =>
    children.find(({ kind }) => kind === 'Element'),
  ),
  [`getElementsByTagName(${S})${dom('NodeList')}`]: named(false),
  [`getElementsByTagNameNS(${S}${S})${dom('NodeList')}`]: named(true),
  [`getElementById(${S})${dom('Element')}`]: (machine, self, id: Reference) => {
    const wanted = textOf(machine, id);
    for (const element of elementsBelow(nodeOf(machine, self))) {
      if (element.attributes.get('id')?.value === wanted) return objectOf(machine, element);
    }
    return null;
  },
  [`createElement(${S})${dom('Element')}`]: creating('Element'),
  [`createTextNode(${S})${dom('Text')}`]: creating('Text'),
  [`createCDATASection(${S})${dom('CDATASection')}`]: creating('CDATASection'),
  [`createComment(${S})${dom('Comment')}`]: creating('Comment'),
  [`createAttribute(${S})${dom('Attr')}`]: creating('Attr'),
};

const valueMethods: NativeMethods = {
  [`getData()${S}`]: textual(({ value }) => value),
  [`setData(${S})V`]: setValue,
  'getLength()I': (machine, self) => nodeOf(machine, self).value.length,
  [`getName()${S}`]: textual(({ name }) => name),
  [`getValue()${S}`]: textual(({ value }) => value),
  [`setValue(${S})V`]: setValue,
  [`getTarget()${S}`]: textual(({ name }) => name),
  [`getWholeText()${S}`]: textual(({ value }) => value),
};

const methodsOf: Partial<Record<Kind, NativeMethods>> = { Element: elementMethods, Document: documentMethods };

// Writing.

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => escapes[each]!);

function written(machine: Machine, node: DomNode): { text: string; taint: Taint } {
  let { taint } = node;
  const inner = node.children.map((child) => {
    const part = written(machine, child);
    taint = machine.union(taint, part.taint);
    return part.text;
  });
  const content = inner.join('');
  const attributes = [...node.attributes.values()].map((each) => {
    taint = machine.union(taint, each.taint);
    return ` ${each.name}="${escaped(each.value)}"`;
  });
  const text = {
    Document: content,
    Element:
      content === ''
        ? `<${node.name}${attributes.join('')}/>`
        : `<${node.name}${attributes.join('')}>${content}</${node.name}>`,
    Text: escaped(node.value),
    CDATASection: `<![CDATA[${node.value}]]>`,
    Comment: `<!--${node.value}-->`,
    ProcessingInstruction: `<?${node.name} ${node.value}?>`,
    Attr: '',
  }[node.kind];
  return { text, taint };
}

const keeping: NativeMethod = (_machine, self, given: Reference = null) => {
  self.native = given;
};

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

const transform: NativeMethod = (machine, self, source: HeapObject, result: HeapObject) => {
  const node = source.native as HeapObject | null;
  const to = required(machine, result.native as Reference);
  if (node === null) return;
  const { text: content, taint } = written(machine, nodeOf(machine, node));
  const isBare = (self.native as Map<string, string> | undefined)?.get('omit-xml-declaration') === 'yes';
  const text = isBare ? content : declaration + content;
  if (machine.isInstance(to, 'Ljava/io/Writer;')) machine.call(to, `write(${S})V`, machine.string(text, taint));
  else if (machine.isInstance(to, 'Ljava/io/OutputStream;')) {
    machine.call(to, 'write([B)V', machine.byteArray(Buffer.from(text), taint));
  } else if (machine.isInstance(to, 'Ljava/io/File;')) {
    const stream = machine.construct('Ljava/io/FileOutputStream;', '<init>(Ljava/io/File;)V', to);
    machine.call(stream, 'write([B)V', machine.byteArray(Buffer.from(text), taint));
    machine.call(stream, 'close()V');
  }
};

const parse: NativeMethod = (machine, _self, source: Reference) =>
  objectOf(machine, readDocument(machine, readXmlText(machine, source)));

const nothingFor = (...signatures: string[]): NativeMethods =>
  Object.fromEntries(signatures.map((signature): [string, NativeMethod] => [signature, nothing]));

const BUILDER = 'Ljavax/xml/parsers/DocumentBuilder;';
const BUILDERS = 'Ljavax/xml/parsers/DocumentBuilderFactory;';
const TRANSFORMER = 'Ljavax/xml/transform/Transformer;';
const TRANSFORMERS = 'Ljavax/xml/transform/TransformerFactory;';

export const domModels: Record<string, ModelClass> = {
  [BUILDERS]: {
    methods: {
      [`newDocumentBuilder()${BUILDER}`]: (machine) => machine.allocate(BUILDER),
      ...nothingFor(
        'setNamespaceAware(Z)V',
        'setValidating(Z)V',
        'setIgnoringComments(Z)V',
        'setIgnoringElementContentWhitespace(Z)V',
        'setCoalescing(Z)V',
        'setExpandEntityReferences(Z)V',
        `setFeature(${S}Z)V`,
      ),
    },
    staticMethods: { [`newInstance()${BUILDERS}`]: (machine) => machine.allocate(BUILDERS) },
  },
  [BUILDER]: {
    methods: {
      [`newDocument()${dom('Document')}`]: (machine) =>
        objectOf(machine, newNode(machine, 'Document', '#document', '', 0)),
      [`parse(Ljava/io/InputStream;)${dom('Document')}`]: parse,
      [`parse(Ljava/io/InputStream;${S})${dom('Document')}`]: parse,
      [`parse(Ljava/io/File;)${dom('Document')}`]: parse,
      [`parse(Lorg/xml/sax/InputSource;)${dom('Document')}`]: parse,
      ...nothingFor(
        'setErrorHandler(Lorg/xml/sax/ErrorHandler;)V',
        'setEntityResolver(Lorg/xml/sax/EntityResolver;)V',
        'reset()V',
      ),
    },
  },
  [NODE]: {
    isInterface: true,
    constants: Object.fromEntries(
      [
        ['ELEMENT', 1],
        ['ATTRIBUTE', 2],
        ['TEXT', 3],
        ['CDATA_SECTION', 4],
        ['COMMENT', 8],
        ['DOCUMENT', 9],
      ].map(([name, value]) => [`${name}_NODE:S`, value as number]),
    ),
  },
  [dom('CharacterData')]: { isInterface: true, implements: [NODE] },
  ...Object.fromEntries(
    (Object.keys(types) as Kind[]).flatMap((kind): [string, ModelClass][] => [
      [
        dom(kind),
        {
          isInterface: true,
          implements: [
            kind === 'Text' || kind === 'Comment' ? dom('CharacterData') : kind === 'CDATASection' ? dom('Text') : NODE,
          ],
        },
      ],
      [
        dom(`${kind}Impl`),
        { implements: [dom(kind)], methods: { ...nodeMethods, ...(methodsOf[kind] ?? valueMethods) } },
      ],
    ]),
  ),
  [dom('NodeList')]: { isInterface: true },
  [dom('NodeListImpl')]: {
    implements: [dom('NodeList')],
    methods: {
      'getLength()I': (_machine, self) => (self.native as DomNode[]).length,
      [`item(I)${NODE}`]: (machine, self, index: number) => objectOf(machine, (self.native as DomNode[])[index]),
    },
  },
  [dom('NamedNodeMap')]: { isInterface: true },
  [dom('NamedNodeMapImpl')]: {
    implements: [dom('NamedNodeMap')],
    methods: {
      'getLength()I': (_machine, self) => (self.native as DomNode).attributes.size,
      [`item(I)${NODE}`]: (machine, self, index: number) =>
        objectOf(machine, [...(self.native as DomNode).attributes.values()][index]),
      [`getNamedItem(${S})${NODE}`]: (machine, self, name: Reference) =>
        objectOf(machine, (self.native as DomNode).attributes.get(textOf(machine, name))),
    },
  },
  [TRANSFORMERS]: {
    methods: { [`newTransformer()${TRANSFORMER}`]: (machine) => machine.allocate(TRANSFORMER) },
    staticMethods: { [`newInstance()${TRANSFORMERS}`]: (machine) => machine.allocate(TRANSFORMERS) },
  },
  [TRANSFORMER]: {
    methods: {
      'transform(!Ljavax/xml/transform/Source;!Ljavax/xml/transform/Result;)V': transform,
      [`setOutputProperty(${S}${S})V`]: (machine, self, name: Reference, value: Reference) => {
        self.native ??= new Map<string, string>();
        (self.native as Map<string, string>).set(textOf(machine, name), textOf(machine, value));
      },
      ...nothingFor(`setParameter(${S}Ljava/lang/Object;)V`),
    },
  },
  'Ljavax/xml/transform/Source;': { isInterface: true },
  'Ljavax/xml/transform/Result;': { isInterface: true },
  'Ljavax/xml/transform/dom/DOMSource;': {
    implements: ['Ljavax/xml/transform/Source;'],
    methods: { '<init>()V': keeping, [`<init>(${NODE})V`]: keeping, [`setNode(${NODE})V`]: keeping },
  },
  'Ljavax/xml/transform/stream/StreamResult;': {
    implements: ['Ljavax/xml/transform/Result;'],
    methods: {
      '<init>()V': keeping,
      '<init>(Ljava/io/Writer;)V': keeping,
      '<init>(Ljava/io/OutputStream;)V': keeping,
      '<init>(Ljava/io/File;)V': keeping,
      'getWriter()Ljava/io/Writer;': (_machine, self) => self.native as Reference,
    },
  },
};
