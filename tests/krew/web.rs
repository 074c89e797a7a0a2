//! A folder on loopback, because krew downloads archives and opens no files.

use std::fs;
use std::io::{BufRead, BufReader, Result, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

/// Serves the files of a folder until the process ends; returns the address.
pub(crate) fn serve(folder: &Path) -> Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = format!("http://{}", listener.local_addr()?);
    let folder = folder.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Who breaks off learns it by himself.
            drop(answer(stream, &folder));
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, folder: &Path) -> Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for header in lines {
        if header?.is_empty() {
            break;
        }
    }
    let target = request.split(' ').nth(1).unwrap_or_default();
    let name = PathBuf::from(target);
    let content = fs::read(folder.join(name.file_name().unwrap_or_default()))?;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        content.len()
    )?;
    stream.write_all(&content)
}
