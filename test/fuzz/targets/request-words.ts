// Fuzz target: short words of a request that say who asks, for what, and whether they may: addresses of proxies, cursors,
// ids, signatures of links, codes of a second factor, names of programs.
import type { IncomingMessage } from 'node:http';
import { callerAddress, isSecured, noteOrigin } from '../../../server/api/caller-address.ts';
import { pageRequestOf } from '../../../server/api/paging.ts';
import { Failure, FieldFailure } from '../../../server/services/failure.ts';
import { describeClient } from '../../../server/services/people/client-description.ts';
import { plainRecoveryCode, stepOfCode } from '../../../server/services/people/one-time-codes.ts';
import { PublicIds } from '../../../server/services/public-ids.ts';
import { addressOfHop, isLoopback, networkOf, plainAddress } from '../../../server/services/sharing/network-address.ts';
import { SignedLinks } from '../../../server/services/signed-links.ts';
import { type FuzzTarget, hold, textOf, texts } from '../target.ts';

const secret = Buffer.alloc(32, 3);
const ids = new PublicIds('an installation');
const now = Date.UTC(2026, 5, 16) * 1000;
const links = new SignedLinks(secret, () => now);
const { expires = '', signature } = links.sign('download', 'a');
const cursor = ids.encode('cursor', 0, 12, 100, 7);

const refused = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure || error instanceof FieldFailure) return error.message;
    throw error;
  }
};

export const target: FuzzTarget = {
  subject: [
    'api/caller-address',
    'api/paging',
    'services/public-ids',
    'services/signed-links',
    'services/sharing/network-address',
    'services/people/one-time-codes',
    'services/people/client-description',
  ],
  isText: true,
  samples: texts(
    '203.0.113.7, [2001:db8::1]:443, 10.0.0.1:80',
    '::ffff:192.168.1.7%eth0',
    cursor,
    `${expires}\n${signature}`,
    '123456\nabcd-efgh-ijkl-mnop',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ),
  refusals: [],
  run(input) {
    const text = textOf(input);
    const [first = '', second = ''] = text.split('\n');
    const headers = { 'x-forwarded-for': first, 'x-forwarded-proto': second };
    const request = { headers, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
    noteOrigin(request, { includes: isLoopback });
    const address = callerAddress(request);
    hold(plainAddress(address) === address, 'an address has one form', address);
    const named = ids.decodeAll('cursor', first);
    hold(named === null || ids.encode('cursor', ...named) === first, 'an id is written in one way', first);
    const page = refused(() => pageRequestOf({ cursor: first, page_size: second }, ids, 'a search'));
    const link = refused(() => links.check(['download', 'upload'], 'a', { expires: first, signature: second }));
    const isOurs = first === expires && Buffer.from(second, 'base64url').equals(Buffer.from(signature, 'base64url'));
    hold(link !== 'download' || isOurs, 'a link holds with the signature alone that was made for it', text);
    const client = describeClient(text, address);
    hold(client.length < 200 && !/[\n<>]/.test(client), 'a program is told in a short line', client);
    const step = stepOfCode(secret, first, now, 0);
    return [
      address,
      isSecured(request),
      addressOfHop(first),
      networkOf(first),
      named,
      page,
      client,
      step,
      plainRecoveryCode(second),
    ];
  },
};
