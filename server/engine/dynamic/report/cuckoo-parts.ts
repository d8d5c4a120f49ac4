// The network and behaviour parts of the cuckoo report, from what the recorder noted. Knows no machine.
import type { CuckooParts } from '../../../contract/engine/reports.ts';
import { dataText } from './droidbox.ts';
import { type Recorder, requestUrl } from './recorder.ts';

const unique = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

export function cuckooParts({ notes }: Recorder): CuckooParts {
  const addressOf = (host: string): string => notes.dns.find(({ hostname }) => hostname === host)?.ip ?? host;
  const connections = unique(notes.opennet, ({ host, port }) => `${host}:${port}`);
  const isMail = ({ port }: { port: number }) => port === 25 || port === 465 || port === 587;
  const isChat = ({ port }: { port: number }) => port >= 6660 && port <= 6669;
  const peer = ({ host, port, time }: { host: string; port: number; time: number }) => ({
    src: '192.168.178.37',
    dst: addressOf(host),
    dport: port,
    time,
  });
  const paths = [...notes.fileswritten, ...notes.filesread, ...notes.filesopen, ...notes.filesdeleted].map(
    ({ name }) => name,
  );
  return {
    network: {
      http: notes.http.map((request) => ({
        host: request.host,
        port: request.port,
        uri: requestUrl(request),
        path: request.path,
        method: request.method,
        version: '1.1',
        'user-agent': request.userAgent,
        body: dataText(request.body),
        data: request.head,
      })),
      dns: notes.dns.map(({ hostname, ip }) => ({ request: hostname, type: 'A', answers: [{ data: ip, type: 'A' }] })),
      domains: notes.dns.map(({ hostname, ip }) => ({ domain: hostname, ip })),
      hosts: [...new Set([...notes.dns.map(({ ip }) => ip), ...connections.map(({ host }) => addressOf(host))])],
      tcp: connections.map(peer),
      udp: notes.udp.map(peer),
      smtp: connections.filter(isMail).map(peer),
      irc: connections.filter(isChat).map(peer),
    },
    behavior: { summary: { files: [...new Set(paths)], keys: [], mutexes: [] } },
  };
}
