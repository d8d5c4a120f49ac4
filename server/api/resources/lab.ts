// Other machines that analyse, over HTTP: what the owner sees and does of them, and what they ask with their own tokens.
import { createReadStream } from 'node:fs';
import type { Request } from 'express';
import type { labOperations } from '../../contract/operations/lab.ts';
import { encodeFrame } from '../../contract/process-line/frames.ts';
import { requestLimits } from '../../contract/process-line/limits.ts';
import { Failure } from '../../services/failure.ts';
import type { LabMachineRecord } from '../../services/lab/lab-machines.ts';
import type { Services } from '../../services/services.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentMachine } from '../presenters/lab.ts';
import { timestamp } from '../presenters/presenting.ts';
import { sendRanged } from '../ranged-file.ts';
import { uploadedFile } from '../uploaded-file.ts';

/** Bytes; what an answer may have by its kind is looked at as it comes. */
const longestAnswer = 2 * 1024 ** 3;

/** @throws Failure `invalid-token` */
const machineOf = (request: Request, { lab }: Services): Promise<LabMachineRecord> =>
  lab.machines.identify(request.get('authorization'));

export const labHandlers: Handlers<typeof labOperations> = {
  'GET /lab/machines/': async ({ presenting, services: { lab } }) => {
    const machines = await lab.machines.list();
    const shown = machines.map((machine) => presentMachine(presenting, machine, lab.machines.lifeOf(machine.id)));
    return ok({
      ...wholeList(shown),
      is_on: lab.isOn,
      is_redis_up: lab.isRedisUp,
      out: lab.pool.out,
      late: lab.pool.late,
    });
  },

  'PATCH /lab/machines/<id>/': async ({ params, body, presenting, services: { lab, ids } }) => {
    const id = ids.decode('machine', params.id);
    if (id === null) throw new Failure('not-found');
    const machine = await lab.machines.change(id, body.state);
    return ok(presentMachine(presenting, machine, lab.machines.lifeOf(id)), { subject: machine.name });
  },

  'DELETE /lab/machines/<id>/': async ({ params, services: { lab, ids } }) => {
    const id = ids.decode('machine', params.id);
    if (id === null) throw new Failure('not-found');
    await lab.remove(id);
    return noContent;
  },

  'POST /lab/invitations/': async ({ presenting, services: { lab, sharing } }) => {
    if (!lab.isOn) throw new Failure('lab-off');
    const { secret, expiresAt } = lab.machines.invite();
    const address = sharing.address() ?? presenting.baseUrl;
    const fingerprint = sharing.address() === null ? null : (sharing.servingAuthority?.fingerprint ?? null);
    const code = Buffer.from(JSON.stringify({ address, fingerprint, secret })).toString('base64url');
    return created({ code, expires_at: timestamp(expiresAt) });
  },

  'POST /lab/join/': async ({ body, presenting, services: { lab } }) => {
    const { machine, token } = await lab.machines.join(body.secret, body.name, body);
    return created({ id: presenting.ids.encode('machine', machine.id), token }, { subject: machine.name });
  },

  'GET /lab/queue/': async ({ request, services }) => ok(await services.lab.access(await machineOf(request, services))),

  'POST /lab/heartbeat/': async ({ request, body, services }) => {
    const machine = await machineOf(request, services);
    const unwanted = services.lab.hear(machine, body);
    const isBack = body.is_start === true && machine.state === 'draining';
    const { state } = isBack ? await services.lab.machines.change(machine.id, 'on') : machine;
    return ok({ state, unwanted });
  },

  'POST /lab/drain/': async ({ request, services }) => {
    await services.lab.machines.change((await machineOf(request, services)).id, 'draining');
    return noContent;
  },

  'GET /lab/tasks/<ticket>/': async ({ request, response, params, services }) => {
    const task = services.lab.task(params.ticket, await machineOf(request, services));
    response.type('application/octet-stream').send(Buffer.concat(encodeFrame(task, requestLimits)));
    return null;
  },

  'GET /lab/tasks/<ticket>/file/': async ({ request, response, params, services }) => {
    const { path, size } = services.lab.file(params.ticket, await machineOf(request, services));
    response.type('application/octet-stream');
    await sendRanged(request, response, { size, tag: null }, (start, end) =>
      createReadStream(path, { start, end: end - 1 }),
    );
    return null;
  },

  'POST /lab/tasks/<ticket>/answer/': async ({ request, params, services }) => {
    const machine = await machineOf(request, services);
    const { bytes } = await uploadedFile(request, longestAnswer);
    await services.lab.answer(params.ticket, machine, bytes);
    return noContent;
  },
};
