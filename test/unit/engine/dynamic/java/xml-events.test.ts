import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlFault, xmlEvents } from '../../../../../server/engine/dynamic/java/xml/xml-events.ts';

const eventsOf = (text: string) => [...xmlEvents(text)];

test('elements, attributes, texts and what is between them come in the order of the document', () => {
  const text = `<?xml version="1.0"?><!DOCTYPE a [<!ELEMENT a ANY>]>
    <a k="1 &lt; 2" x:l='m'><!-- note --><b/>&#65;&amp;<![CDATA[<raw>]]><?do it?></a>`;
  assert.deepEqual(eventsOf(text), [
    {
      kind: 'start',
      name: 'a',
      attributes: [
        ['k', '1 < 2'],
        ['x:l', 'm'],
      ],
    },
    { kind: 'comment', text: ' note ' },
    { kind: 'start', name: 'b', attributes: [] },
    { kind: 'end', name: 'b' },
    { kind: 'text', text: 'A&' },
    { kind: 'cdata', text: '<raw>' },
    { kind: 'instruction', target: 'do', text: 'it' },
    { kind: 'end', name: 'a' },
  ]);
});

test('what is no document is refused', () => {
  for (const text of [
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b=c/>',
    '<a><!-- ',
    '<!DOCTYPE',
    '<a>'.repeat(2_000),
  ]) {
    assert.throws(() => eventsOf(text), XmlFault, text.slice(0, 20));
  }
});

test('entities of the document itself are not resolved', () => {
  const text = '<!DOCTYPE a [<!ENTITY big "bigger than it looks">]><a>&big;</a>';
  assert.deepEqual(eventsOf(text)[1], { kind: 'text', text: '&big;' });
});
