// A device that only the firmware can describe. Its driver is loaded by the scenarios that need it.
DefinitionBlock ("", "SSDT", 2, "BENCH", "HARDWARE", 1)
{
    // A laptop's Bluetooth switch without a controller: only an rfkill entry.
    // The hard switch is bit 0 of byte 0x60 of the machine's CMOS memory, so that a scenario can move it.
    Scope (\_SB)
    {
        Device (BTSW)
        {
            Name (_HID, "TOS6205")
            OperationRegion (CMOS, SystemIO, 0x70, 2)
            Field (CMOS, ByteAcc, NoLock, Preserve) { INDX, 8, DATA, 8 }
            IndexField (INDX, DATA, ByteAcc, NoLock, Preserve) { Offset (0x60), SWIT, 8 }
            Name (RADI, 0)
            Method (_STA, 0) { Return (0x0F) }
            Method (BTST, 0) { Return (RADI | (SWIT & 1)) }     // 0x80 powered, 0x40 plugged, 0x01 switch lets it
            Method (AUSB, 0) { RADI |= 0x40 }
            Method (DUSB, 0) { RADI &= 0x80 }
            Method (BTPO, 0) { RADI |= 0x80 }
            Method (BTPF, 0) { RADI &= 0x40 }
        }
    }
}
