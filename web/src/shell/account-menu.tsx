import { Menu, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconApi,
  IconDeviceDesktop,
  IconExternalLink,
  IconKey,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
} from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import { useLogOut, useSession } from '../api/session.js';
import { basePath } from '../base-path.js';
import { Confirm } from '../parts/actions/confirm.js';
import { showProblem } from '../parts/messages/notices.js';
import { isUnderWay } from '../uploads/upload-queue.js';
import { useUploadItems, useUploadQueue } from '../uploads/uploads.js';
import classes from './account-menu.module.css';

const schemes = [
  { value: 'auto', label: 'System setting', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;

/** The account menu: the logged-in user, the theme, links and log-out. */
export function AccountMenu(): ReactElement | null {
  const { data: session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  const queue = useUploadQueue();
  const isAdding = useUploadItems().some(isUnderWay);
  const [isAsking, setIsAsking] = useState(false);
  if (!session) return null;
  const { id, name, scopes } = session.api_key;
  const leave = async (): Promise<void> => {
    setIsAsking(false);
    queue.pause();
    try {
      await logOut.mutateAsync();
      queue.drop();
    } catch (error) {
      queue.resume(id);
      showProblem(error as Error);
    }
  };
  return (
    <>
      <Menu position="top-start" width={230} shadow="md">
        <Menu.Target>
          <UnstyledButton className={classes.button} aria-label={`Account: ${name}`}>
            <IconKey size={17} stroke={1.7} aria-hidden />
            <span className={classes.name} dir="auto">
              {name}
            </span>
            <IconSelector size={15} stroke={1.7} aria-hidden className={classes.arrow} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            Key “{name}”: {scopes.join(', ')}
          </Menu.Label>
          <Menu.Item component="a" href={`${basePath}/docs`} leftSection={<IconApi size={16} aria-hidden />}>
            REST API
          </Menu.Item>
          {session.temporal_ui !== null && (
            <Menu.Item
              component="a"
              href={session.temporal_ui}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              Temporal Web UI
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          >
            {schemes.map(({ value, label, Icon }) => (
              <Menu.RadioItem key={value} value={value}>
                <span className={classes.scheme}>
                  <Icon size={16} aria-hidden />
                  {label}
                </span>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => (isAdding ? setIsAsking(true) : void leave())}
          >
            Log out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={isAsking}
        title="Log out while resources are being added?"
        action="Log out"
        keep="Stay here"
        onConfirm={() => void leave()}
        onClose={() => setIsAsking(false)}
      >
        <p>Uploads that are not finished are cancelled.</p>
      </Confirm>
    </>
  );
}
