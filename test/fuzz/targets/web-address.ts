// Fuzz target: addresses, Range headers, fields of forms and hosts, as requests and apps bring them.
import { normalisedTarget } from '../../../server/api/addressing.ts';
import { byteRangeOf } from '../../../server/api/byte-range.ts';
import { nestedFields } from '../../../server/api/form-body.ts';
import { parseAddress } from '../../../server/engine/dynamic/java/net/url.ts';
import { type FuzzTarget, hold, textOf, texts } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['api/addressing', 'api/byte-range', 'api/form-body', 'engine/dynamic/java/net/url'],
  isText: true,
  samples: texts(
    'https://user:pw@[::1]:8080/a//b/?c=d&c.e=f#g',
    '/legacyhttp://host/uploads/x?y=z',
    'bytes=0-499',
    'profile.biography=a&a.b.c.d=1&__proto__.x=2&a=3',
    'mailto:x@example.org',
  ),
  refusals: [],
  run(input) {
    const text = textOf(input);
    const again = normalisedTarget(normalisedTarget(text));
    hold(/^\/(?!\/)/.test(again), 'a target has one slash in front');
    const size = text.length * 10;
    const range = byteRangeOf(text, size);
    if (typeof range === 'object' && range !== null)
      hold(range.start >= 0 && range.start < range.end && range.end <= size, 'a range is inside the file');
    const fields = nestedFields(new URLSearchParams(text));
    hold(Object.getPrototypeOf(fields) === Object.prototype && !('x' in {}), 'no prototype is reached');
    return [again, range, fields, parseAddress(text)];
  },
};
