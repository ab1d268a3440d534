// Loaded before a program (`node --import`). Shifts its clock by some milliseconds, as on a machine without NTP.
const shiftMs = Number(process.env['KW_TEST_CLOCK_SHIFT_MS']);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static now() {
    return now();
  }
};
