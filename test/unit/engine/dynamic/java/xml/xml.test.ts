// Parsers of XML give what stands in it, and refuse what is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { get, make } = new Phone();
const input = (text: string) => make('java.io.ByteArrayInputStream', Buffer.from(text));
const document = '<?xml version="1.0"?><a k="v&amp;w"><!-- note --><b>one</b><b>t&#119;o</b><![CDATA[<c>]]></a>';

test('a document is a tree of elements, attributes and texts', () => {
  const builder = get('javax.xml.parsers.DocumentBuilderFactory.newInstance').get('newDocumentBuilder');
  const root = builder
    .get('parse(Ljava/io/InputStream;)Lorg/w3c/dom/Document;', input(document))
    .get('getDocumentElement');
  assert.equal(root.call('getTagName'), 'a');
  assert.equal(root.call('getAttribute', 'k'), 'v&w');
  assert.equal(root.call('getAttribute', 'none'), '');
  const items = root.get('getElementsByTagName', 'b');
  assert.equal(items.call('getLength'), 2);
  assert.equal(items.get('item', 1).call('getTextContent'), 'two');
  assert.equal(root.call('getTextContent'), 'onetwo<c>');
  const parse = () => builder.call('parse(Ljava/io/InputStream;)Lorg/w3c/dom/Document;', input('<a>'));
  assert.throws(parse, { message: /^org\.xml\.sax\.SAXParseException/ });
});

test('a pull parser walks from event to event', () => {
  const parser = get('android.util.Xml.newPullParser');
  parser.call('setInput', make('java.io.StringReader', '<a x="1">text<b/></a>'));
  const events = [parser.call('getEventType')];
  assert.equal(parser.call('next'), 2);
  assert.deepEqual([parser.call('getName'), parser.call('getAttributeValue', null, 'x')], ['a', '1']);
  assert.equal(parser.call('next'), 4);
  assert.equal(parser.call('getText'), 'text');
  for (let event = parser.call('next'); event !== 1; event = parser.call('next')) events.push(event);
  assert.deepEqual(events, [0, 2, 3, 3]);
  const broken = get('android.util.Xml.newPullParser');
  broken.call('setInput', make('java.io.StringReader', '<a></b>'));
  broken.call('next');
  assert.throws(() => broken.call('next'), { message: /^org\.xmlpull\.v1\.XmlPullParserException/ });
});
