// Fuzz target: XML that an app reads, as events of a document.
import { XmlFault, xmlEvents } from '../../../server/engine/dynamic/java/xml/xml-events.ts';
import { type FuzzTarget, hold, textOf, texts } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/dynamic/java/xml/'],
  isText: true,
  samples: texts(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a:x b="1&amp;2" c=\'&#x41;\'><!-- d --><![CDATA[e]]>&lt;f/&gt;</a:x>',
    '<map><string name="k">v</string><int name="n" value="3" /><set><long/></set></map>',
  ),
  words: ['<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', '</', '/>', '&#', '&#x110000;', '&#99999999999;', '<!'],
  refusals: [XmlFault],
  run(input) {
    const text = textOf(input);
    const events = [...xmlEvents(text)];
    let depth = 0;
    for (const { kind } of events) {
      depth += kind === 'start' ? 1 : kind === 'end' ? -1 : 0;
      hold(depth >= 0, 'no element ends that did not begin');
    }
    hold(depth === 0, 'every element ends');
    return events;
  },
};
