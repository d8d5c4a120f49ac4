// Classes of the framework that only need to stand in the right place of the hierarchy, so that what apps build on them
// behaves as its superclass does. Knows no behaviour.
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Models, NativeMethod } from '../machine/model.ts';
import { each, listOf, no, none, nothing, yes } from './model-parts.ts';

/** Class and superclass. */
const subclasses: readonly (readonly [name: string, superclass: string])[] = [
  ['android/content/SearchRecentSuggestionsProvider', 'android/content/ContentProvider'],
  ['android/provider/DocumentsProvider', 'android/content/ContentProvider'],
  ['android/test/mock/MockContentProvider', 'android/content/ContentProvider'],
  ['android/app/LauncherActivity', 'android/app/ListActivity'],
  ['android/app/ActivityGroup', 'android/app/Activity'],
  ['android/widget/HeaderViewListAdapter', 'android/widget/BaseAdapter'],
  ['android/widget/StackView', 'android/widget/AdapterView'],
  ['android/widget/ActionMenuView', 'android/widget/LinearLayout'],
  ['android/opengl/GLSurfaceView', 'android/view/SurfaceView'],
  ['android/view/TextureView', 'android/view/View'],
  ['android/inputmethodservice/KeyboardView', 'android/view/View'],
  ['android/gesture/GestureOverlayView', 'android/widget/FrameLayout'],
  ['android/appwidget/AppWidgetHostView', 'android/widget/FrameLayout'],
  ['android/app/DatePickerDialog', 'android/app/AlertDialog'],
  ['android/app/TimePickerDialog', 'android/app/AlertDialog'],
  ['android/service/dreams/DreamService', 'android/app/Service'],
  ['android/telecom/InCallService', 'android/app/Service'],
  ['android/telecom/ConnectionService', 'android/app/Service'],
  ['android/service/quicksettings/TileService', 'android/app/Service'],
  ['android/speech/RecognitionService', 'android/app/Service'],
  ['android/nfc/cardemulation/HostApduService', 'android/app/Service'],
  ['android/print/PrintService', 'android/app/Service'],
  ['android/location/LocationProvider', 'java/lang/Object'],
  ['android/app/backup/BackupAgent', 'android/content/ContextWrapper'],
  ['android/app/backup/BackupAgentHelper', 'android/app/backup/BackupAgent'],
  ['android/text/method/PasswordTransformationMethod', 'java/lang/Object'],
  ['android/graphics/drawable/BitmapDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ColorDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/GradientDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/LayerDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/StateListDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/AnimationDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ShapeDrawable', 'android/graphics/drawable/Drawable'],
];

/** Classes that are their public fields, which numbers keep their taint in. */
const shapes: readonly (readonly [name: string, type: string, fields: readonly string[]])[] = [
  ['android/graphics/Point', 'I', ['x', 'y']],
  ['android/graphics/PointF', 'F', ['x', 'y']],
  ['android/graphics/Rect', 'I', ['left', 'top', 'right', 'bottom']],
  ['android/graphics/RectF', 'F', ['left', 'top', 'right', 'bottom']],
];

const fillFields =
  (names: readonly string[]): NativeMethod =>
  (machine, me: HeapObject, ...values: Value[]) => {
    for (const [index, name] of names.entries()) {
      const field = me.cls.instanceFields.find((each) => each.name === name);
      if (field === undefined) continue;
      me.fields[field.slot] = values[index]!;
      const taint = machine.argumentTaint(index + 1);
      if (taint === 0 && me.fieldTaints === null) continue;
      me.fieldTaints ??= me.fields.map(() => 0);
      me.fieldTaints[field.slot] = taint;
    }
  };

const descriptor = (name: string): string => `L${name};`;

export const moreModels: Models = {
  ...Object.fromEntries(
    subclasses.map(([name, superclass]) => [descriptor(name), { extends: descriptor(superclass) }]),
  ),
  'Landroid/graphics/drawable/Drawable;': {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'setBounds(IIII)V',
        'setAlpha(I)V',
        'draw(Landroid/graphics/Canvas;)V',
        'setColorFilter(ILandroid/graphics/PorterDuff$Mode;)V',
        'invalidateSelf()V',
        'setCallback(Landroid/graphics/drawable/Drawable$Callback;)V',
      ),
      'getIntrinsicWidth()I': () => 96,
      'getIntrinsicHeight()I': () => 96,
      'mutate()Landroid/graphics/drawable/Drawable;': (_machine, me: HeapObject) => me,
      'getConstantState()Landroid/graphics/drawable/Drawable$ConstantState;': none,
      'isStateful()Z': no,
      'setState([I)Z': no,
      'setVisible(ZZ)Z': yes,
      'getBitmap()Landroid/graphics/Bitmap;': (machine) => machine.allocate('Landroid/graphics/Bitmap;'),
    },
  },
  ...Object.fromEntries(
    shapes.map(([name, type, fields]) => [
      descriptor(name),
      {
        implements: ['Landroid/os/Parcelable;'],
        fields: fields.map((field) => `${field}:${type}`),
        methods: {
          '<init>()V': nothing,
          [`<init>(${type.repeat(fields.length)})V`]: fillFields(fields),
          [`set(${type.repeat(fields.length)})V`]: fillFields(fields),
        },
      },
    ]),
  ),
  'Landroid/view/accessibility/AccessibilityEvent;': {
    methods: {
      'getEventType()I': () => 32,
      'getPackageName()Ljava/lang/CharSequence;': (machine) => machine.string('com.whatsapp'),
      'getClassName()Ljava/lang/CharSequence;': (machine) => machine.string('android.widget.TextView'),
      'getText()Ljava/util/List;': (machine) => listOf(machine, [machine.string('Guten Morgen')]),
      'getSource()Landroid/view/accessibility/AccessibilityNodeInfo;': none,
      'getContentDescription()Ljava/lang/CharSequence;': none,
    },
  },
  'Landroid/service/notification/StatusBarNotification;': {
    methods: {
      'getPackageName()Ljava/lang/String;': (machine) => machine.string('com.whatsapp'),
      'getId()I': () => 1,
      'getTag()Ljava/lang/String;': none,
      'getKey()Ljava/lang/String;': (machine) => machine.string('0|com.whatsapp|1|null|10143'),
      'getNotification()Landroid/app/Notification;': (machine) => machine.allocate('Landroid/app/Notification;'),
    },
  },
  'Landroid/app/NotificationChannel;': {
    methods: each(
      nothing,
      '<init>(Ljava/lang/String;Ljava/lang/CharSequence;I)V',
      'setDescription(Ljava/lang/String;)V',
      'setShowBadge(Z)V',
      'setLockscreenVisibility(I)V',
      'enableLights(Z)V',
      'enableVibration(Z)V',
      'setSound(Landroid/net/Uri;Landroid/media/AudioAttributes;)V',
    ),
  },
};
