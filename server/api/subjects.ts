// Whether what an address names is there for the caller, asked before a policy refuses. Knows no policy.
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
    // Any other failure, as of a device that does not answer, is not for callers who may do nothing with it.
    if (!(error instanceof Failure) || error.id === 'not-found') throw error;
  }
}
