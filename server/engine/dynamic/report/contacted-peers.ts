// Whom the app spoke to, as indicators beside those found in its strings. Knows the report alone.
import type { DynamicReport, Indicators } from '../../../contract/engine/reports.ts';
import { viewOf } from './event-words.ts';

/** A hostile app may speak to as many as it likes. */
const maxPeers = 1_000;

const address = /^(?:\d{1,3}\.){3}\d{1,3}$|:/;
const url = /\b(?:https?|ftp|wss?):\/\/\S+/;
const speaking: ReadonlySet<string> = new Set(['network', 'web', 'download']);

/** Addresses that the app looked up, connected to and asked for; none is made up by the analysis. */
export function contactedPeers({ dns, opennet, sendnet, timeline }: DynamicReport): Indicators {
  const hosts = [...dns.map(({ hostname }) => hostname), ...[...opennet, ...sendnet].map(({ desthost }) => desthost)];
  const urls = timeline.flatMap(({ category, summary }) =>
    speaking.has(category) ? (url.exec(summary)?.[0] ?? []) : [],
  );
  const listed = (values: readonly string[]) =>
    [...new Set(values)].slice(0, maxPeers).map((value) => ({ value, where: [viewOf('network')] }));
  return {
    urls: listed(urls),
    domains: listed(hosts.filter((host) => !address.test(host))),
    ips: listed(hosts.filter((host) => address.test(host))),
    emails: [],
  };
}
