// Second factors in their current shape.
import type { z } from 'zod';
import type { SecondFactorList, secondFactorSchema } from '../../contract/people/second-factor.ts';
import type { SecondFactors } from '../../services/people/second-factors.ts';
import { timestamp, timestampOrNull } from './presenting.ts';

export const presentSecondFactor = ({
  confirmedAt,
  recoveryCodesLeft,
}: Awaited<ReturnType<SecondFactors['state']>>): z.infer<typeof secondFactorSchema> => ({
  confirmed_at: timestampOrNull(confirmedAt),
  recovery_codes_left: recoveryCodesLeft,
});

/** Who has one, since when. */
export const presentSecondFactorOwner = ({
  account,
  confirmedAt,
}: Awaited<ReturnType<SecondFactors['list']>>[number]): SecondFactorList['results'][number] => ({
  username: account.username,
  confirmed_at: timestamp(confirmedAt),
});
