// Models of the phone's storage: its places and their sizes. Knows no file's content.
import type { Models, NativeMethod } from '../../machine/model.ts';
import { phone } from '../../world/device.ts';
import { fileObject } from '../components/context.ts';
import { always, each, no, nothing, plain, type Reference, yes } from '../model-parts.ts';

const S = 'Ljava/lang/String;';

const externalStorage: NativeMethod = (machine) => fileObject(machine, '/storage/emulated/0');

export const storageModels: Models = {
  'Landroid/os/Environment;': {
    staticMethods: {
      'getExternalStorageDirectory()Ljava/io/File;': externalStorage,
      [`getExternalStoragePublicDirectory(${S})Ljava/io/File;`]: (machine, type: Reference) =>
        fileObject(machine, `/storage/emulated/0/${plain(machine, type)}`),
      [`getExternalStorageState()${S}`]: always('mounted'),
      [`getExternalStorageState(Ljava/io/File;)${S}`]: always('mounted'),
      'getDataDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/data'),
      'getRootDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/system'),
      'getDownloadCacheDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/cache'),
      ...each(yes, 'isExternalStorageEmulated()Z', 'isExternalStorageManager()Z'),
      'isExternalStorageRemovable()Z': no,
    },
    constants: Object.fromEntries(
      Object.entries({
        DIRECTORY_DOWNLOADS: 'Download',
        DIRECTORY_DCIM: 'DCIM',
        DIRECTORY_PICTURES: 'Pictures',
        DIRECTORY_MUSIC: 'Music',
        DIRECTORY_MOVIES: 'Movies',
        DIRECTORY_DOCUMENTS: 'Documents',
        MEDIA_MOUNTED: 'mounted',
      }).map(([name, value]) => [`${name}:${S}`, value]),
    ),
  },
  'Landroid/os/StatFs;': {
    methods: {
      ...each(nothing, `<init>(${S})V`, `restat(${S})V`),
      'getBlockSize()I': always(phone.storage.blockSize),
      'getBlockSizeLong()J': always(BigInt(phone.storage.blockSize)),
      ...each(always(phone.storage.blocks), 'getBlockCount()I'),
      'getBlockCountLong()J': always(BigInt(phone.storage.blocks)),
      ...each(always(phone.storage.free), 'getAvailableBlocks()I', 'getFreeBlocks()I'),
      ...each(always(BigInt(phone.storage.free)), 'getAvailableBlocksLong()J', 'getFreeBlocksLong()J'),
      'getTotalBytes()J': always(BigInt(phone.storage.blocks * phone.storage.blockSize)),
      ...each(always(BigInt(phone.storage.free * phone.storage.blockSize)), 'getAvailableBytes()J', 'getFreeBytes()J'),
    },
  },
};
