/** Where a form that begins a session tells the browser's time zone; without script it tells none. */
export function TimeZoneField() {
  return <input type="hidden" name="time_zone" disabled data-zone />;
}

export const TIME_ZONE_SCRIPT = `
for (const field of document.querySelectorAll("[data-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  field.disabled = false;
}
`;
