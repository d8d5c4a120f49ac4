// The versions of a package, in the shape that is sent.
import type { LineageStep as ShownStep } from '../../contract/catalogue/lineage.ts';
import type { LineageStep } from '../../services/catalogue/lineages.ts';
import { presentApk } from './apk.ts';
import type { Presenting } from './presenting.ts';

export function presentLineageStep(
  presenting: Presenting,
  { apk, previous, isSameSigner, ...rest }: LineageStep,
): ShownStep {
  return {
    apk: presentApk(presenting, apk),
    is_same_signer: isSameSigner,
    previous: previous && {
      sha256: previous.sha256,
      version: previous.version,
      version_code: previous.versionCode,
      size: previous.size,
      min_sdk: previous.minSdk,
      target_sdk: previous.targetSdk,
      is_dynamic_analyzed: previous.isDynamicAnalyzed,
      is_same_signer: previous.signerId === apk.signerId,
    },
    ...rest,
  };
}
