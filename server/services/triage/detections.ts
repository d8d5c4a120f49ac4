// Detections: what makes an APK count as detected, by source. Knows neither votes, rules nor signatures.
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { DetectionRecord } from '../../store/repositories/detection-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { readSetting } from '../settings.ts';

export type { DetectionRecord };

/** What an antivirus says of a file that it knows. */
export interface AntivirusFinding {
  signature: string;
  /** 0 to 100, null where the antivirus has none. */
  score: number | null;
  tags: string[];
  additionalInformation: Record<string, unknown>;
}

/** Creates or withdraws the community's detection according to the rating. Call it in the transaction of the vote. */
export async function judgeByRating(inside: Writes, apk: ApkRecord): Promise<void> {
  const source = { kind: 'community' } as const;
  const threshold = await readSetting(inside, 'detection_rating');
  if (apk.rating <= threshold) await inside.detections.save(apk.id, source, { community_rating: apk.rating });
  else await inside.detections.remove(apk.id, source);
  await inside.apks.recount([apk.id]);
}

export class Detections {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  /** Everything that detects an APK. */
  of = (apk: ApkRecord): Promise<DetectionRecord[]> => this.#store.detections.ofApks([apk.id]);

  /** Stores an antivirus' detection of an APK; null withdraws the former one. */
  async recordAntivirus(apk: ApkRecord, antivirus: string, finding: AntivirusFinding | null): Promise<void> {
    const source = { kind: 'antivirus', antivirus } as const;
    const changed = await this.#store.transaction(async (inside) => {
      if (finding === null) {
        await inside.detections.remove(apk.id, source);
      } else {
        const { signature, score, tags, additionalInformation: additional_information } = finding;
        await inside.detections.save(apk.id, source, { signature, score, tags, additional_information });
      }
      await inside.apks.recount([apk.id]);
      await this.#events.happened({ name: 'evidence_changed', apkIds: [apk.id] }, inside);
      return inside.apks.findById(apk.id);
    });
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
  }
}
