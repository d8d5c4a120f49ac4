import { made } from '../../java/values.ts';
import type { Models } from '../../machine/model.ts';
import { each, plain, type Reference, self } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const specType = 'Landroid/security/keystore/KeyGenParameterSpec;';
const builderType = 'Landroid/security/keystore/KeyGenParameterSpec$Builder;';

export const keySpecModels: Models = {
  [builderType]: {
    methods: {
      [`<init>(${S}I)V`]: made((machine, alias: Reference) => ({ alias: plain(machine, alias) })),
      ...each(
        self,
        ...[
          `setBlockModes([${S})`,
          `setEncryptionPaddings([${S})`,
          `setSignaturePaddings([${S})`,
          `setDigests([${S})`,
          'setKeySize(I)',
          'setRandomizedEncryptionRequired(Z)',
          'setUserAuthenticationRequired(Z)',
        ].map((name) => `${name}${builderType}`),
      ),
      [`build()${specType}`]: (machine, me) => {
        const spec = machine.allocate(specType);
        spec.native = me.native;
        return spec;
      },
    },
  },
  [specType]: {
    implements: ['Ljava/security/spec/AlgorithmParameterSpec;'],
    methods: {
      [`getKeystoreAlias()${S}`]: (machine, me) => machine.string((me.native as { alias: string }).alias),
    },
  },
};
