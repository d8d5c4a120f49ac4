// Looks for what an address names, before it is said that somebody may not do something with it.
import type { Access, Subject } from '../contract/operations/operation.ts';
import { Failure } from '../services/failure.ts';
import type { Call } from './operation.ts';

const lookedFor: Readonly<Record<Subject, (call: Call<string, Access>) => Promise<unknown>>> = {
  analyst: ({ params, services }) => services.accounts.get(params.username!),
  apk: ({ params, services }) => services.catalogue.get(params.sha256!),
  device: ({ params, services }) => services.devices.get(params.serial!),
  ruleset: ({ params, account, services }) =>
    services.rulesets.get(account, services.ids.decode('ruleset', params.id!)),
  signer: ({ params, services }) => services.signers.get(params.sha256!.toLowerCase()),
};

/** @throws Failure `not-found` where it is not there for whoever asks */
export async function lookFor(subject: Subject, call: Call<string, Access>): Promise<void> {
  try {
    await lookedFor[subject](call);
  } catch (error) {
    // A device that does not answer, and the like: whoever may do nothing with it need not hear of that.
    if (!(error instanceof Failure) || error.id === 'not-found') throw error;
  }
}
