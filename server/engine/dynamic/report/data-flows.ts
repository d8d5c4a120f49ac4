// Private data and where it went, as findings: one for each kind of data and each place. Knows the report alone.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Severity } from '../../../contract/findings/finding.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Findings } from '../../findings.ts';
import { typedText } from '../world/people.ts';
import { repeated, shown, timesOf, viewOf } from './event-words.ts';

type Leak = DynamicReport['dataleaks'][number];

interface DataKind {
  /** As it reads behind "sends". */
  readonly words: string;
  readonly sent: FindingCode;
}

const identity = 'behaviour-sends-identity';
const location: DataKind = { words: 'the location', sent: 'behaviour-sends-location' };

/** Kinds of private data by their taint. Motion sensors and settings tell nothing of their owner. */
const kinds: Readonly<Record<string, DataKind>> = {
  TAINT_ACCOUNT: { words: "the owner's accounts", sent: 'behaviour-sends-accounts' },
  TAINT_BROWSER: { words: 'the history of the browser', sent: 'behaviour-sends-browsing' },
  TAINT_CALENDAR: { words: 'the calendar', sent: 'behaviour-sends-calendar' },
  TAINT_CALL_LOG: { words: 'the call log', sent: 'behaviour-sends-calls' },
  TAINT_CAMERA: { words: 'pictures of the camera', sent: 'behaviour-sends-pictures' },
  TAINT_CLIPBOARD: { words: 'the clipboard', sent: 'behaviour-sends-clipboard' },
  TAINT_CONTACTS: { words: 'the contacts', sent: 'behaviour-sends-contacts' },
  TAINT_DEVICE_SN: { words: "the device's serial number", sent: identity },
  TAINT_FILECONTENT: { words: "the owner's files", sent: 'behaviour-sends-files' },
  TAINT_ICCID: { words: "the SIM card's serial number", sent: identity },
  TAINT_IMEI: { words: 'the IMEI', sent: identity },
  TAINT_IMSI: { words: 'the IMSI', sent: identity },
  TAINT_LOCATION: location,
  TAINT_LOCATION_GPS: location,
  TAINT_LOCATION_LAST: location,
  TAINT_LOCATION_NET: location,
  TAINT_MIC: { words: 'what the microphone hears', sent: 'behaviour-sends-sound' },
  TAINT_NFC: { words: 'what it read of a card', sent: 'behaviour-sends-card' },
  TAINT_NOTIFICATION: { words: 'notifications of other apps', sent: 'behaviour-sends-notifications' },
  TAINT_OTHERDB: { words: 'data of other apps', sent: 'behaviour-sends-other-apps-data' },
  TAINT_PACKAGE: { words: 'the list of installed apps', sent: 'behaviour-sends-apps' },
  TAINT_PASSWORD: { words: 'the password', sent: 'behaviour-sends-password' },
  TAINT_PHONE_NUMBER: { words: 'a phone number', sent: identity },
  TAINT_SCREEN: { words: 'what is on the screen', sent: 'behaviour-sends-screen' },
  TAINT_SMS: { words: 'text messages', sent: 'behaviour-sends-messages' },
};

interface Flow {
  readonly kind: DataKind;
  readonly channel: string;
  readonly to: string;
  count: number;
  /** The app's method that gave it away. */
  readonly place: string;
  isImplicit: boolean;
}

/** Places of which each is a finding; where there are more, one finding tells how many. */
const maxPlaces = 10;

export function dataFlows(report: DynamicReport, findings: Findings): void {
  const groups = Map.groupBy(flowsOf(report), ({ kind, channel }) => `${kind.words} ${channel}`);
  for (const flows of groups.values()) {
    for (const flow of flows.slice(0, maxPlaces)) tell(report, flow, findings);
    const more = flows.slice(maxPlaces);
    const [first] = more;
    if (first === undefined) continue;
    const count = more.reduce((sum, flow) => sum + flow.count, 0);
    tell(report, { ...first, to: `${more.length} other places, as ${first.to}`, count }, findings);
  }
  storedPasswords(report, findings);
}

/** Leaks, one for each kind of data, way out and place. */
function flowsOf({ dataleaks }: DynamicReport): Flow[] {
  const flows = new Map<string, Flow>();
  for (const leak of dataleaks) {
    const place = methodOf(leak);
    const { count = 1 } = leak;
    for (const kind of new Set(leak.tags.flatMap((tag) => kinds[tag] ?? []))) {
      for (const to of leak.kind === 'network' || leak.kind === 'sms' ? leak.target.split(', ') : [leak.target]) {
        const key = JSON.stringify([kind.words, leak.kind, to]);
        const known = flows.get(key);
        if (known === undefined) {
          flows.set(key, { kind, channel: leak.kind, to, place, count, isImplicit: leak.implicit });
        } else {
          known.count += count;
          known.isImplicit &&= leak.implicit;
        }
      }
    }
  }
  return [...flows.values()];
}

/** The last method of the app on the way, as the code's view names it; the report's page where there is none. */
function methodOf({ path }: Leak): string {
  const name = path.at(-2) ?? '';
  const dot = name.lastIndexOf('.');
  const isMethod = /^[\p{L}_$][^\s():;/]*\.[^\s.():;/]+$/u.test(name);
  return isMethod ? `L${name.slice(0, dot).replaceAll('.', '/')};->${name.slice(dot + 1)}` : viewOf('network');
}

const sharedStorage = /^\/(?:storage\/emulated\/0|sdcard|mnt\/sdcard)\//;

interface Outlet {
  readonly code: FindingCode;
  readonly words: string;
  readonly severity?: Severity;
}

function tell(report: DynamicReport, flow: Flow, findings: Findings): void {
  const outlet = outletOf(report, flow);
  if (outlet === null) return;
  const { code, words, severity } = outlet;
  const evidence = `${words}${repeated(flow.count)}`;
  // What only decided whether something was sent is hardly given away.
  if (flow.isImplicit) findings.add(code, flow.place, `${evidence}; only whether it happens depends on it`, 'info');
  else findings.add(code, flow.place, evidence, severity);
}

/** What the way out makes of it; null: the data stay with the app. */
function outletOf(report: DynamicReport, { kind: { sent, words }, channel, to }: Flow): Outlet | null {
  const isPassword = sent === 'behaviour-sends-password';
  switch (channel) {
    case 'network': {
      const isOpen = isUnencrypted(report, to);
      const code = isPassword && isOpen ? 'behaviour-password-unencrypted' : sent;
      return { code, words: `sends ${words} ${isOpen ? 'unencrypted ' : ''}to ${to}` };
    }
    case 'sms':
      return {
        code: sent,
        words: `sends ${words} by text message to ${to}`,
        severity: sent === identity ? 'medium' : 'high',
      };
    case 'nfc':
    case 'notification':
      return { code: sent, words: `sends ${words} to ${to}` };
    case 'log': {
      const told = `writes ${words} to the log as ${shown(to)}`;
      return { code: 'behaviour-logs', words: told, ...(isPassword ? { severity: 'medium' } : {}) };
    }
    case 'intent':
    case 'provider':
      return { code: 'behaviour-shares', words: `hands ${words} to other apps: ${shown(to)}` };
    case 'file':
      // What lay on the shared storage before is no news there.
      return sharedStorage.test(to) && sent !== 'behaviour-sends-files'
        ? { code: 'behaviour-stores-shared', words: `writes ${words} to ${to}` }
        : null;
    default:
      return null;
  }
}

/** Whether a peer, `host:port`, got anything without TLS; a name that is only looked up is no peer. */
function isUnencrypted({ sendnet }: DynamicReport, peer: string): boolean {
  const sent = sendnet.filter(
    ({ desthost, destport, dataleak }) => `${desthost}:${destport}` === peer && dataleak !== undefined,
  );
  return sent.some(({ encrypted, destport }) => !(encrypted ?? destport === 443));
}

/** The owner's password, as the run types it, in what the app wrote. */
function storedPasswords({ fileswritten }: DynamicReport, findings: Findings): void {
  const holding = fileswritten.filter(
    ({ data, dataleak }) => dataleak?.includes('TAINT_PASSWORD') === true && holdsPassword(data),
  );
  for (const [name, writes] of Map.groupBy(holding, (write) => write.name)) {
    findings.add(
      'behaviour-stores-password',
      viewOf('files'),
      `stores the password as it is in ${name}${repeated(timesOf(writes))}`,
    );
  }
}

const inHex = Buffer.from(typedText.password).toString('hex');
const holdsPassword = (data: string): boolean => data.includes(typedText.password) || data.includes(inHex);
