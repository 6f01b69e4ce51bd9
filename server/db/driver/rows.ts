export async function done(query: Promise<object[]>): Promise<void> {
  await query;
}

export const firstRow = <Row>(query: Promise<Row[]>): Promise<Row | undefined> =>
  query.then(([row]) => row);

export const firstValue = <Row extends object>(query: Promise<Row[]>) =>
  query.then(([row]) => row && (Object.values(row)[0] as Row[keyof Row]));

export const countRows = (query: Promise<object[]>): Promise<number> =>
  query.then((rows) => rows.length);

export const isFound = (query: Promise<object[]>): Promise<boolean> =>
  query.then((rows) => rows.length > 0);

export const onlyRow = <Row>(query: Promise<Row[]>): Promise<Row> =>
  query.then(([row]) => {
    if (row === undefined) throw new Error("A statement returned no row.");
    return row;
  });

export const onlyValue = async <Row extends object>(query: Promise<Row[]>) =>
  Object.values(await onlyRow(query))[0] as Row[keyof Row];
