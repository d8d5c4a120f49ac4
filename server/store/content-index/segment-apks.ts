// The APKs of a segment of the content index, and the groups of files that each is looked at in. Knows no fingerprint.

/** An APK as it was when its files were read. */
export interface IndexedApk {
  /** Its row. */
  id: number;
  /** Tells its file, and what else of it was read, from any other: less than 2^48. */
  tag: number;
}

export class SegmentApks {
  readonly ids: Uint32Array;
  readonly tags: Float64Array;
  /** By APK, how many files a scan looks at. */
  readonly filesCounts: Uint32Array;
  /** By APK, its first group; at the end how many groups there are. */
  readonly firstGroups: Uint32Array;
  /** By group, the number of the first file behind it. */
  readonly ends: Uint32Array;

  constructor(count: number, groupsCount: number) {
    this.ids = new Uint32Array(count);
    this.tags = new Float64Array(count);
    this.filesCounts = new Uint32Array(count);
    this.firstGroups = new Uint32Array(count + 1);
    this.ends = new Uint32Array(groupsCount);
    this.firstGroups[count] = groupsCount;
  }

  get count(): number {
    return this.ids.length;
  }

  get groupsCount(): number {
    return this.ends.length;
  }

  /** The APK that a group is of, by its place here. */
  apkOf(group: number): number {
    let low = 0;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.firstGroups[middle]! <= group) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The first file of a group. */
  startOf(apk: number, group: number): number {
    return group === this.firstGroups[apk] ? 0 : this.ends[group - 1]!;
  }

  /** Copies one APK of another segment, or of none, to a place here. */
  set(
    place: number,
    apk: IndexedApk,
    { filesCount, firstGroup, ends }: { filesCount: number; firstGroup: number; ends: ArrayLike<number> },
  ): void {
    this.ids[place] = apk.id;
    this.tags[place] = apk.tag;
    this.filesCounts[place] = filesCount;
    this.firstGroups[place] = firstGroup;
    this.ends.set(ends, firstGroup);
  }

  /** As they lie in a file. */
  tables(): (Uint32Array | Float64Array)[] {
    return [Uint32Array.of(this.count), this.ids, this.filesCounts, this.firstGroups, this.ends, this.tags];
  }

  /**
   * Reads what `tables` tells, from a place in the bytes on.
   * @throws RangeError where they end before
   */
  static read(bytes: Uint8Array, start: number, groupsCount: number): SegmentApks {
    let at = start;
    const numbers = (count: number, size: number) => {
      const part = new Uint8Array(bytes.subarray(at, at + count * size));
      if (part.length < count * size) throw new RangeError('the tables are cut');
      at += part.length;
      return part.buffer;
    };
    const [count] = new Uint32Array(numbers(1, 4));
    const apks = new SegmentApks(count!, groupsCount);
    apks.ids.set(new Uint32Array(numbers(count!, 4)));
    apks.filesCounts.set(new Uint32Array(numbers(count!, 4)));
    apks.firstGroups.set(new Uint32Array(numbers(count! + 1, 4)));
    apks.ends.set(new Uint32Array(numbers(groupsCount, 4)));
    apks.tags.set(new Float64Array(numbers(count!, 8)));
    return apks;
  }
}
