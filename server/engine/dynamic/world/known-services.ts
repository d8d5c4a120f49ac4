// What well-known services with public formats answer: bots of Telegram, and services that tell a phone its address on the
// internet. Knows no app and no other server.

/** The chat of a bot; https://core.telegram.org/bots/api#available-types */
const person = { id: 483920117, is_bot: false, first_name: 'Max', language_code: 'de' };
const chat = { id: person.id, first_name: person.first_name, type: 'private' };
const bot = { id: 1234567890, is_bot: true, first_name: 'Bot', username: 'a_bot' };
/** 15 June 2019, in seconds. */
const sentAt = 1_560_587_400;

const message = (text: string) => ({ message_id: 17, from: person, chat, date: sentAt, text });

function telegramAnswer(method: string, text: string): unknown {
  if (method === 'getUpdates') return [{ update_id: 901, message: message(text) }];
  if (method === 'getMe') return bot;
  return method.startsWith('send') ? { ...message(text), from: bot } : true;
}

/** An address of a German provider, as the phone's network. */
const ownAddress = '91.41.207.18';
const place = { country: 'Germany', countryCode: 'DE', country_code: 'DE', region: 'BE', city: 'Berlin', zip: '10115' };
const location = {
  status: 'success',
  ...place,
  ip: ownAddress,
  query: ownAddress,
  timezone: 'Europe/Berlin',
  lat: 52.52,
  lon: 13.405,
  isp: 'Deutsche Telekom AG',
  org: 'AS3320 Deutsche Telekom AG',
  proxy: false,
  hosting: false,
};

const addressHosts: ReadonlySet<string> = new Set([
  'api.ipify.org',
  'icanhazip.com',
  'ifconfig.me',
  'checkip.amazonaws.com',
  'ipecho.net',
  'ident.me',
]);
const locationHosts: ReadonlySet<string> = new Set([
  'ip-api.com',
  'ipinfo.io',
  'ipapi.co',
  'ipwho.is',
  'freegeoip.app',
]);

/**
 * A text, or the fields of a JSON object. Undefined: no such service.
 * @param text of a message to the bot
 */
export function knownAnswer(host: string, path: string, text: () => string): string | object | undefined {
  if (host === 'api.telegram.org') {
    const method = /^\/bot[^/]+\/(\w+)/.exec(path)?.[1];
    return method === undefined ? undefined : { ok: true, result: telegramAnswer(method, text()) };
  }
  if (addressHosts.has(host)) return /json/.test(path) ? { ip: ownAddress } : ownAddress;
  if (!locationHosts.has(host)) return undefined;
  return path.endsWith('/ip') ? ownAddress : path.endsWith('/country') ? place.countryCode : location;
}
