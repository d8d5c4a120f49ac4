// What happens in the workstation, as server-sent events over HTTP.

import { oneLineJson } from '../../contract/json-line.ts';
import type { eventOperations } from '../../contract/operations/events.ts';
import type { EventName, WorkstationEvent } from '../../contract/people/event.ts';
import type { WorkstationChange } from '../../services/event-bus.ts';
import type { Handlers } from '../operation.ts';
import { presentApk } from '../presenters/apk.ts';
import { presentContentSearch } from '../presenters/content-search.ts';
import { presentJob } from '../presenters/job.ts';
import { presentNotification } from '../presenters/notification.ts';
import { type Presenting, timestamp } from '../presenters/presenting.ts';
import { presentMatch } from '../presenters/rules/match.ts';
import { presentRetrohunt } from '../presenters/rules/retrohunt.ts';

/** Below the silence after which proxies and clients give a connection up. */
const keepAliveMilliseconds = 15_000;
/** A client that has not read so much is gone or too slow; it comes back and reads the lists again. */
const maxUnreadBytes = 2 * 1024 * 1024;

function present(presenting: Presenting, change: WorkstationChange, username: string): WorkstationEvent {
  switch (change.name) {
    case 'job':
      return { name: change.name, data: presentJob(presenting, change.job, change.apk) };
    case 'apk_created':
    case 'apk_updated':
      return { name: change.name, data: presentApk(presenting, change.apk) };
    case 'notification':
      return { name: change.name, data: presentNotification(presenting, change.notification, username) };
    case 'match':
      return { name: change.name, data: presentMatch(presenting, change) };
    case 'retrohunt':
      return { name: change.name, data: presentRetrohunt(presenting, change.hunt) };
    case 'content_search':
      return { name: change.name, data: presentContentSearch(presenting, change.run) };
    case 'dismissals_changed':
      return { name: change.name, data: { id: presenting.ids.encode('dismissal', change.id) } };
    case 'family_changed':
      return { name: change.name, data: { id: presenting.ids.encode('family', change.id) } };
    case 'code_names_changed':
    case 'apk_deleted':
      return { name: change.name, data: { sha256: change.sha256 } };
  }
}

export const eventHandlers: Handlers<typeof eventOperations> = {
  'GET /events/': ({
    request,
    response,
    account,
    caller,
    presenting,
    services: { events, matches, sessions, version },
  }) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') {
      response.end();
      return null;
    }
    response.flushHeaders();
    const write = (text: string) => {
      // It ends from outside: to make room, with the workstation.
      if (!response.writableEnded) response.write(text);
    };
    const send = (name: EventName, data: unknown) => {
      // Without a line break of its own, so that hostile strings cannot end the event.
      write(`event: ${name}\ndata: ${oneLineJson(data)}\n\n`);
      if (response.writableLength > maxUnreadBytes) response.destroy();
    };
    /** In the order in which things happened, each as this account sees it: with the matches of its own private rulesets. */
    let told = Promise.resolve();
    const tell = (change: WorkstationChange) => {
      told = told
        .then(async () => {
          // Whose token is revoked or account disabled stops listening, by the next event or the next sign of life.
          if (!(await sessions.isValid(caller))) return void response.end();
          const isApk = change.name === 'apk_created' || change.name === 'apk_updated';
          const seen = isApk ? { ...change, apk: (await matches.counted(account, [change.apk]))[0]! } : change;
          const { name, data } = present(presenting, seen, account.username);
          send(name, data);
        })
        // A client that misses an event comes back and reads the lists again.
        .catch(() => void response.destroy());
    };
    const stopListening = events.subscribe(account, tell, () => response.end());
    const stayOrEnd = (isValid: boolean) => (isValid ? write(': still here\n\n') : response.end());
    const keepAlive = setInterval(() => {
      sessions.isValid(caller).then(stayOrEnd, () => response.end());
    }, keepAliveMilliseconds);
    response.once('close', () => {
      clearInterval(keepAlive);
      stopListening();
    });
    send('hello', { version, time: timestamp(Date.now() * 1000) });
    return null;
  },
};
