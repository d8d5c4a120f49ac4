// Connected devices: where the adb server is, what is connected, and taking the apps of a device into the catalogue.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDeviceImport, useDevices } from '../../api/administration-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

export function DevicesSection() {
  const devices = useDevices();
  const importing = useDeviceImport();
  return (
    <>
      <Group title={words.sections.devices} note={words.devicesNote}>
        <SettingForm fields={[{ name: 'device_address', kind: 'text', placeholder: '127.0.0.1:5037' }]} />
      </Group>
      <Group title={words.connected}>
        <QueryState query={devices} />
        {devices.isSuccess && devices.data.status === 'off' && <p className={styles.empty}>{words.devicesOff}</p>}
        {devices.isSuccess && devices.data.message !== null && (
          <p role="alert" className={styles.error}>
            <HostileText value={devices.data.message} max={300} />
          </p>
        )}
        {devices.isSuccess && devices.data.status === 'ok' && devices.data.results.length === 0 && (
          <p className={styles.empty}>{words.noDevices}</p>
        )}
        {devices.isSuccess && devices.data.results.length > 0 && (
          <Table
            columns={[
              words.deviceColumns.model,
              words.deviceColumns.serial,
              words.deviceColumns.version,
              words.deviceColumns.state,
              { label: words.action, as: 'hidden' },
            ]}
          >
            {devices.data.results.map((device) => (
              <tr key={device.serial} data-testid="device">
                <td>
                  <HostileText value={device.model === '' ? device.serial : device.model} max={80} isFixed />
                </td>
                <td>
                  <HostileText value={device.serial} max={80} mono isFixed />
                </td>
                <td>{device.android_version !== null && words.android(device.android_version)}</td>
                <td>
                  <Chip tone={device.is_usable ? 'good' : 'medium'}>
                    <HostileText value={device.state} max={40} isFixed />
                  </Chip>
                </td>
                <td>
                  <Button
                    variant="default"
                    disabled={!device.is_usable}
                    loading={importing.isPending}
                    onClick={() =>
                      importing.mutate(device.serial, {
                        onSuccess: () => notifications.show({ message: words.importBegun }),
                      })
                    }
                  >
                    {words.importApps}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
        <div className={styles.actions}>
          <Button variant="default" onClick={() => void devices.refetch()} loading={devices.isFetching}>
            {words.lookAgain}
          </Button>
        </div>
      </Group>
    </>
  );
}
